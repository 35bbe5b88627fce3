package io.holdfast.cli.report;

import static io.holdfast.cli.report.Page.number;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.report.Page.Tone;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a backtest comes to: better or worse than baselines and by how much, where it was worst,
 * what to try.
 */
record BacktestVerdict(Tone tone, String sentence, String worst, String next) {
  private static final double SMALL = 0.01;

  /** A figure of those who learn nothing, by the name that people know them by. */
  record Baseline(String name, String key) {
    static List<Baseline> of(String metric) {
      String suffix = Character.toUpperCase(metric.charAt(0)) + metric.substring(1);
      return List.of(
          new Baseline("no change", "noChange" + suffix),
          metric.equals("accuracy")
              ? new Baseline("the commonest class", "majority" + suffix)
              : new Baseline("the mean label", "mean" + suffix));
    }
  }

  static BacktestVerdict of(List<JsonNode> models, List<String> names) {
    String metric = Pictures.metric(models.getFirst().at("/stream/cumulative/metrics"));
    boolean more = metric.equals("accuracy");
    Comparator<Integer> byFigure =
        Comparator.comparingDouble(k -> (more ? -1 : 1) * figure(models.get(k), metric));
    int best = IntStream.range(0, models.size()).boxed().min(byFigure).orElseThrow();
    JsonNode model = models.get(best);
    double own = figure(model, metric);
    String against = "the constant for the rows before";
    double theirs = model.at("/lastQuarter/constantLoss").asDouble(Double.NaN);
    if (metric.equals("loss")) {
      own = model.at("/lastQuarter/loss").asDouble(Double.NaN);
    } else {
      theirs = Double.NaN;
      for (Baseline baseline : Baseline.of(metric)) {
        double one = figure(model, baseline.key());
        if (Double.isFinite(one) && !(more ? one <= theirs : one >= theirs)) {
          theirs = one;
          against = baseline.name();
        }
      }
    }
    double gain = more ? own - theirs : 1 - own / theirs;
    Tone tone = Math.abs(gain) < SMALL ? Tone.WARN : gain > 0 ? Tone.GOOD : Tone.BAD;
    String size =
        more ? number(100 * Math.abs(gain)) + " points" : number(100 * Math.abs(gain)) + " %";
    String who =
        models.size() == 1
            ? "The model"
            : names.get(best) + ", the best of " + models.size() + " models,";
    String sentence =
        who
            + (tone == Tone.WARN
                ? " is about as good as "
                : gain > 0 ? " is better than " : " is worse than ")
            + against
            + ", the best baseline, by "
            + size
            + ": "
            + (metric.equals("loss") ? "loss of the last quarter" : metric)
            + " "
            + number(own)
            + " against "
            + number(theirs)
            + ".";
    return new BacktestVerdict(tone, sentence, worst(model), next(model, gain));
  }

  private static double figure(JsonNode model, String name) {
    return model.at("/stream/cumulative/metrics").path(name).asDouble(Double.NaN);
  }

  private static String worst(JsonNode model) {
    List<String> parts = new ArrayList<>();
    JsonNode environment = most(model.path("environments"));
    if (model.path("environments").size() > 1 && environment != null) {
      parts.add(
          "in environment "
              + Pictures.name(environment.path("environment").asText())
              + " (loss "
              + number(environment.path("loss").asDouble())
              + ", "
              + number(model.at("/total/loss").asDouble())
              + " in all)");
    }
    JsonNode window = most(model.path("windows"));
    if (window != null) {
      parts.add(
          "in window "
              + window.path("window").asLong()
              + ", up to row "
              + number(window.path("upToRow").asLong())
              + " (loss "
              + number(window.path("loss").asDouble())
              + ")");
    }
    return parts.isEmpty() ? "" : "It was worst " + String.join(", and ", parts) + ".";
  }

  /** The element of most loss; null if there is none. */
  private static @Nullable JsonNode most(JsonNode all) {
    JsonNode most = null;
    for (JsonNode one : all) {
      if (most == null || one.path("loss").asDouble() > most.path("loss").asDouble()) {
        most = one;
      }
    }
    return most;
  }

  private static String next(JsonNode model, double gain) {
    long rows = model.at("/stream/cumulative/rows").asLong();
    TreeMap<String, Integer> alarms = new TreeMap<>();
    int alarming = 0;
    for (JsonNode window : model.path("windows")) {
      alarming += window.at("/drift/alarms").isEmpty() ? 0 : 1;
      for (JsonNode drifted : window.at("/drift/features")) {
        if (drifted.path("alarm").asBoolean()) {
          alarms.merge(drifted.path("feature").asText(), 1, Integer::sum);
        }
      }
    }
    double all = model.at("/total/loss").asDouble();
    JsonNode worst = most(model.path("environments"));
    boolean uneven =
        model.path("environments").size() > 1
            && worst != null
            && all > 0
            && worst.path("loss").asDouble() > 1.3 * all;
    if (2 * model.path("rowsScoredByConstants").asLong() > rows) {
      return "Try a smaller --window: most rows were scored before anything was learned.";
    }
    if (gain < SMALL) {
      return "Try other features, such as the label of the row before, or holdfast tune: what it has"
          + " says little that the baseline does not know.";
    }
    if (uneven) {
      return "Try --compare gamma=1,4,16: one environment loses far more than the others.";
    }
    if (4 * alarming > model.path("windows").size() && !alarms.isEmpty()) {
      String most =
          alarms.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
      boolean auto = model.at("/settings/update/policy").asText().equals("auto");
      return (auto ? "Try --drift shorten" : "Try --policy auto or a smaller --window")
          + ": drift was noticed in "
          + alarming
          + " windows, most often of "
          + (most.isEmpty() ? "the label" : most)
          + ".";
    }
    return "Try holdfast tune --cv stream, which looks for better settings on the same rows.";
  }
}
