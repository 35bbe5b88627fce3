package io.holdfast.cli;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The boundaries, over the classes of all modules at once. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.holdfast");

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final PathMatcher MAIN =
      FileSystems.getDefault().getPathMatcher("glob:*/src/main/java/**");

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern BENCH =
      Pattern.compile("(?m)^import (?:static )?(io\\.holdfast\\.bench(?:\\.[a-z]\\w*)*)\\.[A-Z]");

  /** One file a loss; the other two are to be parted. */
  private static final Set<String> LARGE =
      Set.of("boosting/objective", "boosting/tree", "boosting/data");

  @ParameterizedTest
  @ValueSource(
      strings = {"boosting", "schemas", "exchange", "http", "trainer", "service", "scorer", "cli"})
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
        .layer("exchange")
        .definedBy("io.holdfast.exchange..")
        .layer("http")
        .definedBy("io.holdfast.http..")
        .layer("trainer")
        .definedBy("io.holdfast.trainer..")
        .layer("service")
        .definedBy("io.holdfast.service..")
        .layer("scorer")
        .definedBy("io.holdfast.scorer..")
        .layer("auditor")
        .definedBy("io.holdfast.auditor..")
        .layer("cli")
        .definedBy("io.holdfast.cli..")
        .whereLayer("cli")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("scorer")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("auditor")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("auditor")
        .mayNotAccessAnyLayer() // what it judges
        .whereLayer("service")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("trainer")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("http")
        .mayOnlyBeAccessedByLayers("trainer", "service", "cli")
        .whereLayer("exchange")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("schemas")
        .mayOnlyBeAccessedByLayers("exchange", "http", "trainer", "service", "scorer", "cli")
        .whereLayer("boosting")
        .mayOnlyBeAccessedByLayers("schemas", "exchange", "trainer", "service", "scorer", "cli")
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

  /**
   * Other programs have what they have: Avro comes along, and a Kafka client is asked for apart.
   */
  @Test
  void scorer_bringsNoKafkaServersOrLogging() {
    noClasses()
        .that()
        .resideInAPackage("io.holdfast.scorer..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.micronaut..", "io.micrometer..", "org.slf4j..", "ch.qos.logback..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("io.holdfast.scorer")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.kafka..", "io.holdfast.schemas.topic..")
        .check(CLASSES);
  }

  /** No circle of packages, subpackages and roots of modules included. */
  @Test
  void packages_haveNoCycles() {
    slices()
        .matching("io.holdfast.(**)")
        .should()
        .beFreeOfCycles()
        .ignoreDependency(alwaysTrue(), resideInAPackage("io.holdfast.schemas.avro.."))
        .check(CLASSES);
  }

  /** The bench is on no class path here, so its sources say what it imports. */
  @Test
  void packages_ofTheBench_haveNoCycles() throws IOException {
    Map<String, Set<String>> imports = new TreeMap<>();
    try (Stream<Path> all = Files.walk(ROOT.resolve("bench/src/main/java"))) {
      for (Path file : all.filter(path -> path.toString().endsWith(".java")).toList()) {
        String text = Files.readString(file);
        String own = PACKAGE.matcher(text).results().findFirst().orElseThrow().group(1);
        Set<String> others = imports.computeIfAbsent(own, name -> new TreeSet<>());
        BENCH.matcher(text).results().map(found -> found.group(1)).forEach(others::add);
        others.remove(own);
      }
    }
    assertThat(imports).hasSizeGreaterThan(5);
    boolean fewer = true;
    while (fewer) { // without those that import none of the rest, as long as there are such
      fewer = imports.values().removeIf(Set::isEmpty);
      imports.values().forEach(others -> others.retainAll(imports.keySet()));
    }
    assertThat(imports).as("packages in circles, and what leads there").isEmpty();
  }

  /** A package can be read in one go. */
  @Test
  void packages_haveFewFiles() throws IOException {
    Map<Path, Long> files;
    try (Stream<Path> all = Files.walk(ROOT)) {
      files =
          all.filter(file -> file.toString().endsWith(".java"))
              .map(file -> ROOT.relativize(file.getParent()))
              .filter(folder -> MAIN.matches(folder))
              .collect(groupingBy(folder -> folder, TreeMap::new, counting()));
    }
    assertThat(files).hasSizeGreaterThan(60);
    files.keySet().removeIf(folder -> LARGE.stream().anyMatch(folder::endsWith));
    files.values().removeIf(count -> count <= 25);
    assertThat(files).as("packages of more than 25 files").isEmpty();
  }

  @Test
  void root_holdsTheCommandAlone() {
    classes()
        .that()
        .resideInAPackage("io.holdfast.cli")
        .should()
        .be(Holdfast.class)
        .orShould()
        .haveSimpleName("package-info")
        .check(CLASSES);
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
