package io.holdfast.exchange.lightgbm;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.schemas.Sentence;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * LightGBM's objective as one of ours. Immutable.
 *
 * @param objective the one whose link gives the same predictions
 * @param scale what raw scores are multiplied by: LightGBM's sigmoid may be steeper
 * @param notes what is otherwise
 */
record LightGbmObjective(Objective objective, double scale, List<String> notes) {
  private static final Set<String> RANKING = Set.of("lambdarank", "rank_xendcg");

  /** The names and numbers of the line {@code objective=name key:value ...}. */
  private static final class Line {
    final String name;
    final Map<String, String> values = new HashMap<>();
    final boolean root;

    Line(String line, Map<String, String> parameters) {
      String[] words = line.strip().split(" +", -1);
      name = words[0];
      root = List.of(words).contains("sqrt");
      values.putAll(parameters);
      for (String word : words) {
        int colon = word.indexOf(':');
        if (colon > 0) {
          values.put(word.substring(0, colon), word.substring(colon + 1));
        }
      }
    }

    double number(String key, double otherwise) throws ExchangeException {
      String text = values.get(key);
      return text == null ? otherwise : LightGbmNumbers.number("the model", "objective", text);
    }
  }

  /** Our objective for that of a model with so many raw scores. */
  static LightGbmObjective of(LightGbmFile file, int outputs) throws ExchangeException {
    Line line = new Line(file.header().getOrDefault("objective", ""), file.parameters());
    ExchangeException.require(
        !RANKING.contains(line.name),
        "objective %s ranks rows of a group, which no model here does",
        line.name);
    try {
      LightGbmObjective found = of(line, outputs);
      if (found.objective.outputs() != outputs) {
        throw ExchangeException.of(
            "objective %s has %d raw scores, and the model has trees for %d",
            line.name, found.objective.outputs(), outputs);
      }
      return found;
    } catch (IllegalArgumentException e) {
      throw ExchangeException.of(
          "objective %s cannot be taken over: %s", line.name, e.getMessage());
    }
  }

  private static LightGbmObjective of(Line line, int outputs) throws ExchangeException {
    if (line.root) {
      return raw(
          line.name + " with reg_sqrt", outputs, "the square root of what was predicted there");
    }
    return switch (line.name) {
      case "regression", "regression_l2", "l2", "mean_squared_error", "mse" -> plain("squared");
      case "regression_l1", "l1", "mean_absolute_error", "mae" -> plain("absolute");
      case "huber" -> with("huber", "delta", line.number("alpha", 0.9));
      case "quantile" -> with("quantile", "alpha", line.number("alpha", 0.9));
      case "poisson", "gamma" -> plain(line.name);
      case "tweedie" -> with("tweedie", "power", line.number("tweedie_variance_power", 1.5));
      case "binary" -> binary(line);
      case "cross_entropy", "xentropy" ->
          new LightGbmObjective(
              Objective.named("logistic"),
              1,
              List.of(
                  "Objective cross_entropy became logistic: predictions are the same, but training"
                      + " on takes labels of 0 and 1 alone."));
      case "multiclass", "softmax" -> with("softmax", "classes", outputs);
      case "multiclassova", "ova" -> oneAgainstAll(line, outputs);
      case "fair", "mape" -> raw(line.name, outputs, "what was predicted there");
      case "cross_entropy_lambda", "xentlambda" ->
          raw(line.name, outputs, "what its link was applied to there");
      default ->
          raw(line.name.isEmpty() ? "of one's own" : line.name, outputs, "the raw scores there");
    };
  }

  private static LightGbmObjective plain(String name) {
    return new LightGbmObjective(Objective.named(name), 1, List.of());
  }

  private static LightGbmObjective with(String name, String key, double value) {
    return new LightGbmObjective(Objective.of(name, Map.of(key, value)), 1, List.of());
  }

  private static LightGbmObjective binary(Line line) throws ExchangeException {
    double sigmoid = line.number("sigmoid", 1);
    String note =
        "Raw scores are " + sigmoid + " times those of LightGBM, whose sigmoid is that steep.";
    return new LightGbmObjective(
        Objective.named("logistic"), sigmoid, sigmoid == 1 ? List.of() : List.of(note));
  }

  private static LightGbmObjective oneAgainstAll(Line line, int outputs) throws ExchangeException {
    return new LightGbmObjective(
        Objective.of("softmax", Map.of("classes", (double) outputs)),
        line.number("sigmoid", 1),
        List.of(
            "Objective multiclassova became softmax: the likeliest class and the raw scores are the"
                + " same, but probabilities sum to 1."));
  }

  private static LightGbmObjective raw(String name, int outputs, String meaning) {
    Objective objective =
        outputs == 1
            ? Objective.named("squared")
            : Objective.of("softmax", Map.of("classes", (double) outputs));
    return new LightGbmObjective(
        objective,
        1,
        List.of(
            Sentence.of(
                "Objective %s is none of ours and became %s: raw scores are %s.",
                name, objective.name(), meaning)));
  }
}
