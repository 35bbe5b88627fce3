package io.holdfast.cli.options;

import io.holdfast.cli.validate.FoldSplit;
import io.holdfast.schemas.settings.ModelSettings;

/** What {@code --cv} says. Stateless. */
public final class FoldOptions {
  private FoldOptions() {}

  /** How rows of a model are to be parted. */
  public static FoldSplit split(String cv, ModelSettings settings) {
    FoldSplit split;
    try {
      split = FoldSplit.parse(cv);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("--cv %s", e.getMessage());
    }
    CommandException.usageIf(
        !split.byTime() && settings.environment() == null,
        "--cv %s leaves environments out: name their column with --environment",
        cv);
    return split;
  }
}
