package io.holdfast.service;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

final class BoundariesTest {
  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.holdfast.service");

  @Test
  void service_dependsOnBoostingAndSchemasOfOurModules() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.holdfast.trainer..", "io.holdfast.cli..", "io.holdfast.bench..")
        .check(classes);
  }

  @Test
  void packages_dependOneWay() {
    slices().matching("io.holdfast.service.(**)").should().beFreeOfCycles().check(classes);
  }

  @Test
  void scoringAndJoin_knowNeitherHttpNorEachOther() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "..service.score..", "..service.join..", "..service.label..", "..service.model..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.micronaut..",
            "..service.rest..",
            "..service.heads..",
            "..service.access..",
            "..service.ops..",
            "..service.runtime..")
        .check(classes);
    noClasses()
        .that()
        .resideInAPackage("..service.join..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("..service.score..", "..service.model..")
        .check(classes);
  }

  @Test
  void http_knowsNoKafka() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "..service.rest..",
            "..service.ops..",
            "..service.heads..",
            "..service.access..",
            "..service.request..",
            "..service.prediction..",
            "..service.infer..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.kafka..")
        .check(classes);
  }
}
