package io.holdfast.schemas;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
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
          .importPackages("io.holdfast.schemas");

  private static final String[] KNOWING_KAFKA = {
    "io.holdfast.schemas.topic..",
    "io.holdfast.schemas.log..",
    "io.holdfast.schemas.lag..",
    "io.holdfast.schemas.framing.."
  };

  @Test
  void schemas_dependOnTheEngineAndTheFormats_alone() {
    classes()
        .that()
        .resideOutsideOfPackages(KNOWING_KAFKA)
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "java..",
                "javax.net.ssl..",
                "io.holdfast.schemas..",
                "io.holdfast.boosting..",
                "org.apache.avro..",
                "com.fasterxml.jackson..",
                "org.slf4j..",
                "org.jspecify..",
                "com.google.errorprone.annotations.."))
        .check(CLASSES);
  }

  @Test
  void topicsAndTheirLag_aloneKnowKafka() {
    noClasses()
        .that()
        .resideOutsideOfPackages(KNOWING_KAFKA)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka..")
        .check(CLASSES);
  }

  @Test
  void framings_knowOfKafkaTheHeadersAlone() {
    noClasses()
        .that()
        .resideInAPackage("io.holdfast.schemas.framing..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("org.apache.kafka..")
                .and(resideOutsideOfPackage("org.apache.kafka.common.header..")))
        .check(CLASSES);
  }

  @Test
  void settings_knowNoFormatButYaml() {
    noClasses()
        .that()
        .resideInAPackage("io.holdfast.schemas.settings..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.avro..",
            "org.apache.kafka..",
            "io.holdfast.schemas.wire..",
            "io.holdfast.schemas.feature..",
            "io.holdfast.schemas.ledger..",
            "io.holdfast.schemas.version..",
            "io.holdfast.schemas.topic..")
        .check(CLASSES);
  }

  @Test
  void packages_haveNoCycles() {
    slices()
        .matching("io.holdfast.schemas.(**)")
        .should()
        .beFreeOfCycles()
        .ignoreDependency(alwaysTrue(), resideInAnyPackage("io.holdfast.schemas.avro.."))
        .check(CLASSES);
  }
}
