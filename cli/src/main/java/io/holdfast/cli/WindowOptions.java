package io.holdfast.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of a model that learns from a stream: {@link ModelOptions} and when it learns. */
final class WindowOptions {
  @Mixin private ModelOptions model = new ModelOptions();

  @Option(
      names = "--window",
      order = 51,
      paramLabel = "ROWS",
      description = "Labelled rows that make a window (default: 1000).")
  void window(@Nullable String rows) {
    model.set("window.rows", rows);
  }

  @Option(
      names = "--window-environments",
      order = 52,
      paramLabel = "N",
      description = "Environments that a window waits for, up to 4 windows' rows (default: 1).")
  void windowEnvironments(@Nullable String environments) {
    model.set("window.environments", environments);
  }

  @Option(
      names = "--memory",
      order = 53,
      paramLabel = "ROWS",
      description = "Older rows that are trained on again (default: ten windows).")
  void memory(@Nullable String rows) {
    model.set("window.memoryRows", rows);
  }

  @Option(
      names = "--max-trees",
      order = 54,
      paramLabel = "N",
      description = "Trees at most; over that the oldest leave (default: 500).")
  void maxTrees(@Nullable String trees) {
    model.set("update.maxTrees", trees);
  }

  ModelOptions model() {
    return model;
  }
}
