package io.holdfast.cli;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The boundaries of docs/architecture, over the classes of all modules at once. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.holdfast");

  @ParameterizedTest
  @ValueSource(strings = {"boosting", "schemas", "http", "trainer", "service", "cli"})
  void classes_ofEveryModule_areSeen(String module) {
    assertThat(CLASSES.containPackage("io.holdfast." + module)).isTrue();
  }

  @Test
  void modules_dependOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("io.holdfast..")
        .layer("boosting")
        .definedBy("io.holdfast.boosting..")
        .layer("schemas")
        .definedBy("io.holdfast.schemas..")
        .layer("http")
        .definedBy("io.holdfast.http..")
        .layer("trainer")
        .definedBy("io.holdfast.trainer..")
        .layer("service")
        .definedBy("io.holdfast.service..")
        .layer("cli")
        .definedBy("io.holdfast.cli..")
        .whereLayer("cli")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("service")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("trainer")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("http")
        .mayOnlyBeAccessedByLayers("trainer", "service")
        .whereLayer("schemas")
        .mayOnlyBeAccessedByLayers("http", "trainer", "service", "cli")
        .whereLayer("boosting")
        .mayOnlyBeAccessedByLayers("schemas", "trainer", "service", "cli")
        .check(CLASSES);
  }

  @Test
  void engine_standsOnTheJdkAndNumericLibraries_alone() {
    noClasses()
        .that()
        .resideInAPackage("io.holdfast.boosting..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.kafka..",
            "org.apache.avro..",
            "io.micronaut..",
            "com.fasterxml.jackson..",
            "org.slf4j..")
        .check(CLASSES);
  }

  /** Settings and figures cross a module's own packages; the root packages hold what all share. */
  @ParameterizedTest
  @ValueSource(strings = {"schemas", "trainer", "service", "cli"})
  void packages_ofAModule_haveNoCycles(String module) {
    slices().matching("io.holdfast." + module + ".(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  /** All that commands write goes through one place, which leaves whole files or none. */
  @Test
  void files_areWrittenInOnePlace() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.holdfast.schemas.file..")
        .and()
        .doNotHaveFullyQualifiedName(Holdfast.class.getName()) // its standard error
        .should()
        .callConstructorWhere(
            target(owner(assignableTo(FileOutputStream.class).or(assignableTo(FileWriter.class)))))
        .orShould()
        .callMethodWhere(
            target(owner(equivalentTo(Files.class)))
                .and(target(nameMatching("write.*|newOutputStream|newBufferedWriter|copy|move"))))
        .check(CLASSES);
  }

  @Test
  void broker_isForTheCommandLine_alone() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.holdfast.cli.kafka..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("kafka..", "org.apache.kafka.metadata..", "org.apache.kafka.server..")
        .check(CLASSES);
  }
}
