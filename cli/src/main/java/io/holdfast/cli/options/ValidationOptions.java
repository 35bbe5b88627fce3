package io.holdfast.cli.options;

import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.HeldOut;
import io.holdfast.cli.learn.HeldOut.Source;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.keys.TreeKeys;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that end a fit when rows held out get no better. */
public final class ValidationOptions {
  private static final int PATIENCE = 20;
  private static final String QUANTILE = "quantile:";

  @Option(
      names = "--validation",
      paramLabel = "DATA",
      description = "Rows that tell when to stop; the best round is kept.")
  private @Nullable DataSource validation;

  @Option(
      names = "--hold-out",
      paramLabel = "NAME,...",
      description = "In place of --validation: environments of --data to hold out.")
  private @Nullable String environments;

  @Option(
      names = "--stop-by",
      paramLabel = "HOW",
      description = "Environments' loss: mean, worst, or quantile:0.9 (default: mean).")
  private @Nullable String criterion;

  @Option(
      names = "--patience",
      paramLabel = "N",
      description = "Rounds without improvement that end it (default: 20).")
  private @Nullable Integer patience;

  public boolean given() {
    return validation != null || environments != null;
  }

  /** Lets --stop-by say it of the rows that --stop-after keeps out, too. */
  public void keepOut(ModelOptions flags) {
    if (criterion != null && !given() && flags.get(TreeKeys.STOP_AFTER.path()) != null) {
      flags.set(TreeKeys.STOP_BY.path(), criterion);
    }
  }

  /** What was asked for; null if nothing was. */
  public @Nullable HeldOut heldOut(ModelSettings settings) {
    CommandException.usageIf(
        validation != null && environments != null,
        "--validation and --hold-out both say which rows tell when to stop: leave one out");
    CommandException.usageIf(
        given() && settings.booster().holdOut() != null,
        "%s and --stop-after (trees.stopAfter) both say which rows tell when to stop: leave one"
            + " out",
        environments == null ? "--validation" : "--hold-out");
    if (environments != null) {
      CommandException.usageIf(
          settings.environment() == null,
          "--hold-out needs environments: name their column with --environment");
      Set<String> names =
          Arrays.stream(environments.split(",", -1)).map(String::strip).collect(Collectors.toSet());
      return new HeldOut(new Source.Environments(names), criterion(), patience());
    }
    if (validation != null) {
      return new HeldOut(new Source.Apart(validation), criterion(), patience());
    }
    CommandException.usageIf(
        (criterion != null && settings.booster().holdOut() == null) || patience != null,
        "%s has no meaning without rows to validate on: name them with --validation or"
            + " --hold-out",
        patience == null ? "--stop-by" : "--patience");
    return null;
  }

  private Criterion criterion() {
    if (criterion == null || criterion.equals("mean")) {
      return new Criterion.Mean();
    }
    if (criterion.equals("worst")) {
      return new Criterion.Worst();
    }
    if (criterion.startsWith(QUANTILE)) {
      try {
        double level = Double.parseDouble(criterion.substring(QUANTILE.length()));
        if (level >= 0 && level <= 1) {
          return new Criterion.Quantile(level);
        }
      } catch (NumberFormatException e) {
        // Said below: no number and one out of range are one mistake to the user.
      }
    }
    throw CommandException.usage(
        "--stop-by must be mean, worst, or quantile: and a level from 0 to 1: %s", criterion);
  }

  private int patience() {
    CommandException.usageIf(
        patience != null && patience < 1, "--patience must be 1 or more: %d", patience);
    return patience == null ? PATIENCE : patience;
  }
}
