package io.holdfast.boosting;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whether all reference vectors are read: what is not is a skipped test that names it. */
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
                    skippedUnless(
                        GoldenFiles.names().stream().anyMatch(name -> name.startsWith(prefix)),
                        "there is a file " + prefix + "*")),
        GoldenFiles.names().stream()
            .map(
                name ->
                    skippedUnless(
                        READ.stream().anyMatch(name::startsWith), "some test reads " + name)));
  }

  @TestFactory
  Stream<DynamicTest> everyWitness_isComputed() {
    return GoldenFiles.tests(
        "seed_errors.json",
        vectors ->
            GoldenErrata.witnessed(vectors).stream()
                .map(
                    id ->
                        skippedUnless(
                            GoldenErrata.COMPUTED.contains(id), "some test computes " + id)));
  }

  private static DynamicTest skippedUnless(boolean holds, String what) {
    return DynamicTest.dynamicTest(what, () -> Assumptions.assumeTrue(holds, "not so: " + what));
  }
}
