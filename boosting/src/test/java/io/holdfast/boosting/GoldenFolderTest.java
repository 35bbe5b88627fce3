package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** All reference vectors are read, and every error of the notes has a test that computes it. */
class GoldenFolderTest {
  /** What the files' names begin with, and who reads them. */
  private static final List<String> READ =
      List.of(
          "losses_", // objective.GoldenLossesTest
          "anchor_", // anchor.GoldenAnchorTest, leaf.GoldenLeafTest
          "adaboost.", // ada.GoldenAdaBoostTest
          "boosting_basics.", // leaf.GoldenBasicsTest, tree.GoldenSplitsTest
          "seed_errors."); // GoldenErrata says which tests

  @TestFactory
  Stream<DynamicTest> everyFile_isRead() {
    return Stream.concat(
        READ.stream()
            .map(
                prefix ->
                    holds(
                        GoldenFiles.names().stream().anyMatch(name -> name.startsWith(prefix)),
                        "there is a file " + prefix + "*")),
        GoldenFiles.names().stream()
            .map(
                name ->
                    holds(READ.stream().anyMatch(name::startsWith), "some test reads " + name)));
  }

  @TestFactory
  Stream<DynamicTest> everyWitness_isComputed() {
    return GoldenFiles.tests(
        "seed_errors.json",
        vectors ->
            GoldenErrata.witnessed(vectors).stream()
                .map(id -> holds(GoldenErrata.COMPUTED.contains(id), "some test computes " + id)));
  }

  private static DynamicTest holds(boolean holds, String what) {
    return DynamicTest.dynamicTest(
        what,
        () -> {
          assumeFalse(GoldenFiles.names().isEmpty(), "the folder of reference vectors is absent");
          assertThat(holds).as(what).isTrue();
        });
  }
}
