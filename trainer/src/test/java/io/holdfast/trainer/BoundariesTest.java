package io.holdfast.trainer;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class BoundariesTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.holdfast.trainer");

  @Test
  void trainer_knowsNeitherServiceNorCommandLine() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.holdfast.service..", "io.holdfast.cli..", "io.holdfast.bench..")
        .check(CLASSES);
  }

  @Test
  void windowAndLearn_decideWithoutKafkaMicronautOrLogging() {
    classes()
        .that()
        .resideInAnyPackage(
            "io.holdfast.trainer.window..",
            "io.holdfast.trainer.rows..",
            "io.holdfast.trainer.evaluate..",
            "io.holdfast.trainer.learn..",
            "io.holdfast.trainer.rebuild..",
            "io.holdfast.trainer.policy..",
            "io.holdfast.trainer.drift..",
            "io.holdfast.trainer.reason..",
            "io.holdfast.trainer.expect..",
            "io.holdfast.trainer.strength..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "java..",
                "io.holdfast.boosting..",
                "io.holdfast.schemas..",
                "io.holdfast.trainer.window..",
                "io.holdfast.trainer.rows..",
                "io.holdfast.trainer.evaluate..",
                "io.holdfast.trainer.learn..",
                "io.holdfast.trainer.rebuild..",
                "io.holdfast.trainer.policy..",
                "io.holdfast.trainer.drift..",
                "io.holdfast.trainer.reason..",
                "io.holdfast.trainer.expect..",
                "io.holdfast.trainer.strength..",
                "org.apache.avro", // the record schema that a model begins with
                "org.apache.avro.specific", // what the contracts' classes are made of
                "com.tdunning.math.stats", // drift's sketches; config/import-control.xml: drift's
                // alone
                "org.jspecify..",
                "com.google.errorprone.annotations.."))
        .andShould()
        .onlyDependOnClassesThat(not(resideInAnyPackage("io.holdfast.schemas.topic..")))
        .check(CLASSES);
  }

  @Test
  void consumers_areHeldInRuntimeAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.holdfast.trainer.runtime..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("org\\.apache\\.kafka\\.clients\\.consumer\\.(Kafka)?Consumer")
        .check(CLASSES);
  }

  @Test
  void micronaut_isKnownInRuntimeAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.holdfast.trainer.runtime..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.micronaut..", "io.micrometer..", "jakarta..")
        .check(CLASSES);
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching("io.holdfast.trainer.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
