package io.holdfast.schemas.settings.keys;

import static io.holdfast.schemas.settings.keys.Key.Flag.Group.WINDOWS;
import static io.holdfast.schemas.settings.keys.Kind.Real.FROM_0_TO_1;
import static io.holdfast.schemas.settings.keys.Kind.Real.NOT_NEGATIVE;
import static io.holdfast.schemas.settings.keys.Kind.Real.between;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What becomes of new rows: when a window closes, how the ensemble changes with it, and what is
 * done about drift; below {@code window}, {@code update} and {@code drift}.
 */
public final class UpdateKeys {
  private static final KeyTable KEYS = new KeyTable();

  /** All update policies, by name. */
  public static final List<String> POLICIES =
      List.of("append", "decay", "refit", "replace", "auto");

  private static final int MOST_ROWS = 10_000_000;
  private static final Kind.Length AN_HOUR =
      new Kind.Length(Duration.ZERO, Duration.ofHours(1), "of at most 1h");

  public static final Key<Integer> ROWS =
      KEYS.of("window.rows", new Kind.Whole(1, MOST_ROWS / 4), "Labelled rows that make a window")
          .usually("`1` for `update.policy: auto`, else `1000`")
          .more("And with it a version ([how small](concepts.md#update-policies))")
          .flag(WINDOWS, "--window", "ROWS")
          .help(
              "Labelled rows that make a window (default: 1), or 1000 by another policy than auto");
  public static final Key<Integer> ENVIRONMENTS =
      KEYS.whole("window.environments", 1, 1, 10_000, "Environments that a window waits for")
          .flag(WINDOWS, "--window-environments", "N");
  public static final Key<Integer> MAX_ROWS =
      KEYS.of(
              "window.maxRows",
              new Kind.Whole(1, MOST_ROWS),
              "Rows that close it whatever is in it")
          .usually(
              "4 × `rows`; 100 at least with `auto`, whose windows grow to 20 rows, and with late"
                  + " labels up to 100, while [small ones gain"
                  + " nothing](concepts.md#update-policies)");
  public static final Key<Integer> MEMORY_ROWS =
      KEYS.of(
              "window.memoryRows",
              new Kind.Whole(0, MOST_ROWS),
              "Older rows that are trained on again")
          .usually("10 × `rows`; 10000 at least with `auto`")
          .more(
              "Shared fairly among environments"
                  + " ([how](concepts.md#windows-tested-before-trained-on))")
          .flag(WINDOWS, "--memory", "ROWS")
          .help(
              "Older rows that are trained on again (default: 10000), or ten windows if that is"
                  + " more");
  public static final Key<Integer> MEMORY_WINDOWS =
      KEYS.whole("window.memoryWindows", 50, 1, 1_000, "Windows that they are of at most")
          .more(
              "Windows that are small against memory are counted together, up to `memoryRows /"
                  + " memoryWindows` rows as one")
          .flag(WINDOWS, "--memory-windows", "N");
  public static final Key<Duration> MIN_INTERVAL =
      KEYS.of(
              "window.minInterval",
              AN_HOUR,
              "The least time between two versions, however fast labels come")
          .usually("`1s` with `auto`, else `0s`")
          .more(
              "([How](decisions/0019-versions-a-second-apart.md).) Windows then grow to"
                  + " `memoryRows` rows at most");
  public static final Key<Duration> IDLE =
      KEYS.of(
              "window.idle",
              Duration.ofSeconds(2),
              AN_HOUR,
              "How long a row waits for partitions of examples that have nothing")
          .more(
              "So that windows are cut by timestamps and not by arrival"
                  + " ([how](operations.md#restarting)); `0s` never waits");

  public static final Key<String> POLICY =
      KEYS.of(
              "update.policy",
              "auto",
              new Kind.Choice(POLICIES),
              "append, decay, refit, replace or auto")
          .more(
              "What becomes of the ensemble with a window ([which](concepts.md#update-policies));"
                  + " with a `ladder`, which `auto` cannot hold, `replace`. `auto`"
                  + " has rounds, learning rates and bases of its own")
          .flag(WINDOWS, "--policy", "NAME");
  public static final Key<Integer> MAX_TREES =
      KEYS.whole("update.maxTrees", 500, 1, 100_000, "Trees at most")
          .usually("`500` (times the classes, if each has its trees)")
          .more(
              "Beyond it trees leave, one window's at a time; the older half fades before it does")
          .flag(WINDOWS, "--max-trees", "N");
  public static final Key<String> EVICT =
      KEYS.choice(
              "update.evict",
              "Which leave over that: oldest, leastUseful or decayed",
              "oldest",
              "leastUseful",
              "decayed")
          .more(
              "`leastUseful`: without which the loss of the newest window rises least; `decayed`,"
                  + " with `decay`: which weigh least, and all below a hundredth")
          .flag(WINDOWS, "--evict", "NAME");
  public static final Key<Integer> HALF_LIFE =
      KEYS.whole(
              "update.halfLife",
              10_000,
              1,
              1_000_000_000,
              "Of policy decay: rows until a tree weighs half")
          .flag(WINDOWS, "--half-life", "ROWS");
  public static final Key<Double> REFIT_RATE =
      KEYS.of("update.refitRate", 0.1, FROM_0_TO_1, "Of policy refit: share of new leaf values")
          .flag(WINDOWS, "--refit-rate", "NUM");
  public static final Key<Boolean> RECENTRE =
      KEYS.of("update.recentre", new Kind.Truth(), "Whether windows move the base: true or false")
          .usually("`false` for `append`, else `true`")
          .more("To where its loss is least, before new trees come")
          .flag(WINDOWS, "--recentre", "NAME")
          .help("Whether windows move the base: true or false (default: append does not)");
  public static final Key<Boolean> KEEP_BINS =
      KEYS.truth("update.keepBins", true, "Whether bins are kept until they move: true or false")
          .more(
              "With `append`, `decay` and `refit`; `false` finds them anew by each window, which"
                  + " takes longer and is [no better or"
                  + " worse](decisions/0013-bins-kept-across-windows.md)")
          .flag(WINDOWS, "--keep-bins", "NAME");
  public static final Key<String> GATE =
      KEYS.choice(
              "update.gate", "What lets a new version serve", "always", "better", "shown", "manual")
          .more(
              "`better` on rows kept out of training; `shown`, that it [is shown to be"
                  + " better](learning-under-shift.md#promotion-on-evidence); or `manual`, a"
                  + " [promotion](operations.md#roll-back-pin-shadow)");
  public static final Key<Double> ERROR =
      KEYS.of(
          "update.error",
          0.01,
          between(0, 1),
          "Of gate shown: the chance, at most, that what comes to serve is no better");
  public static final Key<Double> MARGIN =
      KEYS.of(
          "update.margin",
          0.0,
          NOT_NEGATIVE,
          "Of gate better: by which share of the present loss a new version may be worse");
  public static final Key<Double> HOLD_OUT =
      KEYS.of(
          "update.holdOut",
          0.2,
          between(0, 1),
          "Of gate better: the share of a window's rows that are kept out of training");

  public static final Key<String> DRIFT =
      KEYS.choice(
              "drift.action",
              "What becomes of drift: nothing, report, shorten or replace",
              "nothing",
              "report",
              "shorten",
              "replace")
          .more(
              "([drift](concepts.md#drift)). `nothing` is looked for; `shorten` memory to the rows"
                  + " after the loss last rose; `replace`, the same, and a model begun anew may"
                  + " take over (by the policies `replace` and `auto`)")
          .flag(WINDOWS, "--drift", "NAME");
  public static final Key<Double> FALSE_ALARMS =
      KEYS.of(
              "drift.falseAlarms",
              0.01,
              new Kind.Real(Map.of("exclusiveMinimum", 0.0, "maximum", 0.5), "above 0, up to 0.5"),
              "How often features and labels that do not drift may raise an alarm")
          .more(
              "0.01: once in 100 comparisons on average, or less. A comparison is of a window, or"
                  + " of 192 rows of [small ones](concepts.md#drift)");

  static final List<Key<?>> ALL = KEYS.all();

  private UpdateKeys() {}
}
