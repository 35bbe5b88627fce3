package io.holdfast.boosting;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
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
            "org.ejml..",
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
            "leaf",
            "linear",
            "model",
            "numeric",
            "objective",
            "simulate",
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
    knowsNothingOf(
        "numeric", "anchor", "data", "evaluate", "leaf", "model", "objective", "scoring", "tree");
    knowsNothingOf("data", "anchor", "evaluate", "leaf", "model", "objective", "scoring", "tree");
    knowsNothingOf("objective", "anchor", "evaluate", "leaf", "model", "scoring", "tree");
    knowsNothingOf("anchor", "evaluate", "leaf", "model", "scoring", "tree");
    knowsNothingOf("tree", "anchor", "evaluate", "leaf", "objective");
    knowsNothingOf("model", "anchor", "evaluate", "leaf", "scoring", "tree");
    knowsNothingOf("scoring", "ada", "anchor", "evaluate", "explain", "leaf", "linear", "tree");
    knowsNothingOf("evaluate", "anchor", "explain", "leaf", "model", "scoring", "tree");
    knowsNothingOf("explain", "anchor", "evaluate", "leaf", "tree");
    knowsNothingOf("linear", "ada", "evaluate", "explain", "leaf", "tree");
    knowsNothingOf(
        "simulate",
        "ada",
        "anchor",
        "evaluate",
        "explain",
        "leaf",
        "linear",
        "model",
        "objective",
        "tree");
    knowsNothingOf("ada", "anchor", "evaluate", "explain", "leaf", "linear");
  }

  private static void knowsNothingOf(String subject, String... others) {
    String[] packages = new String[others.length];
    for (int k = 0; k < others.length; k++) {
      packages[k] = ENGINE + "." + others[k] + "..";
    }
    noClasses()
        .that()
        .resideInAPackage(ENGINE + "." + subject + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages)
        .check(CLASSES);
  }
}
