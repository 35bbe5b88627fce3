package io.holdfast.boosting;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The engine is the ground floor, and its packages know of each other what they say they do. */
class BoundariesTest {
  private static final String ENGINE = "io.holdfast.boosting";
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ENGINE);

  @Test
  void engine_dependsOnJdkAndNumericLibrariesOnly() {
    classes()
        .that()
        .resideInAPackage(ENGINE + "..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            ENGINE + "..",
            "java.lang..",
            "java.util..",
            "com.sun.management..", // of the JDK: what a thread has allocated
            "jdk.incubator.vector..",
            "org.jspecify.annotations..",
            "com.google.errorprone.annotations..")
        .check(CLASSES);
  }

  @Test
  void vectors_areNamedByTheirOwnClassesOnly() {
    noClasses()
        .that()
        .haveSimpleNameNotStartingWith("Vector")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.incubator.vector..")
        .check(CLASSES);
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching(ENGINE + ".(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void root_isKnownToNothingBelowIt() {
    for (String below :
        List.of(
            "anchor",
            "data",
            "evaluate",
            "histogram",
            "leaf",
            "linear",
            "model",
            "numeric",
            "objective",
            "simulate",
            "split",
            "tree")) {
      noClasses()
          .that()
          .resideInAPackage(ENGINE + "." + below + "..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ENGINE)
          .check(CLASSES);
    }
  }

  @Test
  void packages_doNotKnowWhatTheySayTheyMayNot() {
    String[] growing = {"histogram", "split", "tree"};
    knowsNothingOf(
        "numeric", growing, "anchor", "data", "evaluate", "leaf", "model", "objective", "scoring");
    knowsNothingOf("data", growing, "anchor", "evaluate", "leaf", "model", "objective", "scoring");
    knowsNothingOf("objective", growing, "anchor", "evaluate", "leaf", "model", "scoring");
    knowsNothingOf("anchor", growing, "evaluate", "leaf", "model", "scoring");
    knowsNothingOf("histogram", new String[] {"split", "tree"}, "anchor", "leaf", "objective");
    knowsNothingOf("split", new String[] {"tree"}, "anchor", "leaf", "objective");
    knowsNothingOf("tree", new String[0], "anchor", "evaluate", "leaf", "objective");
    knowsNothingOf("model", growing, "anchor", "evaluate", "leaf", "scoring");
    knowsNothingOf("scoring", growing, "ada", "anchor", "evaluate", "explain", "leaf", "linear");
    knowsNothingOf("evaluate", growing, "anchor", "explain", "leaf", "model", "scoring");
    knowsNothingOf("explain", growing, "anchor", "evaluate", "leaf");
    knowsNothingOf("linear", growing, "ada", "evaluate", "explain", "leaf");
    knowsNothingOf(
        "simulate",
        growing,
        "ada",
        "anchor",
        "evaluate",
        "explain",
        "leaf",
        "linear",
        "model",
        "objective");
    knowsNothingOf("ada", new String[0], "anchor", "evaluate", "explain", "leaf", "linear");
  }

  private static void knowsNothingOf(String subject, String[] some, String... others) {
    String[] packages =
        Stream.concat(Stream.of(some), Stream.of(others))
            .map(other -> ENGINE + "." + other + "..")
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(ENGINE + "." + subject + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages)
        .check(CLASSES);
  }
}
