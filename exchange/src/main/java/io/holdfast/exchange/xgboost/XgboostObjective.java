package io.holdfast.exchange.xgboost;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.exchange.document.Document;
import io.holdfast.exchange.foreign.ExchangeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * XGBoost's objective as one of ours. Immutable.
 *
 * @param objective the one whose link gives the same predictions
 * @param base the raw scores before any tree
 * @param notes what is otherwise
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record XgboostObjective(Objective objective, double[] base, List<String> notes) {
  private static final String RAW = "raw scores are those of XGBoost.";

  /** What a base score, which is on the scale of labels, is before the link. */
  private enum Link {
    IDENTITY,
    LOGIT,
    LOG;

    private static final float EPSILON = 1e-6f;

    /** In floats, as XGBoost does it. */
    float margin(float score) {
      return switch (this) {
        case IDENTITY -> score;
        case LOGIT -> (float) -StrictMath.log(1 / Math.clamp(score, EPSILON, 1 - EPSILON) - 1);
        case LOG -> (float) StrictMath.log(score);
      };
    }
  }

  private record Found(Objective objective, Link link, List<String> notes) {
    Found(String name, Link link) {
      this(Objective.named(name), link, List.of());
    }
  }

  /** Our objective for that of a learner with so many raw scores. */
  static XgboostObjective of(Document learner, int outputs) throws ExchangeException {
    Document said = learner.field("objective");
    String name = said.field("name").text();
    ExchangeException.require(
        !name.startsWith("rank:") && !name.startsWith("survival:"),
        "objective %s cannot be taken over: no model here ranks or tells times to an event",
        name);
    try {
      Found found = find(name, said, outputs);
      if (found.objective.outputs() != outputs) {
        throw ExchangeException.of(
            "objective %s has %d raw scores, and the model has %d",
            name, found.objective.outputs(), outputs);
      }
      return new XgboostObjective(found.objective, base(learner, found.link, outputs), found.notes);
    } catch (IllegalArgumentException e) {
      throw ExchangeException.of("objective %s cannot be taken over: %s", name, e.getMessage());
    }
  }

  private static Found find(String name, Document said, int outputs) throws ExchangeException {
    return switch (name) {
      case "reg:squarederror", "reg:linear" -> new Found("squared", Link.IDENTITY);
      case "reg:absoluteerror" -> new Found("absolute", Link.IDENTITY);
      case "reg:logistic", "binary:logistic" -> new Found("logistic", Link.LOGIT);
      case "binary:logitraw" ->
          new Found(
              Objective.named("logistic"),
              Link.IDENTITY,
              List.of(
                  "Objective binary:logitraw became logistic: predictions are probabilities, and "
                      + RAW));
      case "count:poisson" -> new Found("poisson", Link.LOG);
      case "reg:gamma" -> new Found("gamma", Link.LOG);
      case "reg:tweedie" -> {
        Document power = said.field("tweedie_regression_param").field("tweedie_variance_power");
        Objective ours = Objective.of("tweedie", Map.of("power", power.number()));
        yield new Found(ours, Link.LOG, List.of());
      }
      case "reg:quantileerror" -> {
        Objective ours = Objective.of("quantile", Map.of("alpha", alpha(said)));
        yield new Found(ours, Link.IDENTITY, List.of());
      }
      case "multi:softprob", "multi:softmax" -> softmax(outputs, List.of());
      default -> raw(name, outputs);
    };
  }

  private static Found softmax(int outputs, List<String> notes) {
    return new Found(
        Objective.of("softmax", Map.of("classes", (double) outputs)), Link.IDENTITY, notes);
  }

  private static Found raw(String name, int outputs) {
    String ours = outputs == 1 ? "squared" : "softmax";
    List<String> notes =
        List.of("Objective " + name + " is none of ours and became " + ours + ": " + RAW);
    return outputs == 1
        ? new Found(Objective.named(ours), Link.IDENTITY, notes)
        : softmax(outputs, notes);
  }

  private static double alpha(Document said) throws ExchangeException {
    double[] alphas = list(said.field("quantile_loss_param").field("quantile_alpha"));
    ExchangeException.require(
        alphas.length == 1,
        "a model has one quantile, and this one has %d: train one model for each",
        alphas.length);
    return alphas[0];
  }

  private static double[] base(Document learner, Link link, int outputs) throws ExchangeException {
    double[] scores = list(learner.field("learner_model_param").field("base_score"));
    if (scores.length != 1 && scores.length != outputs) {
      throw ExchangeException.of(
          "the model must have 1 or %d base scores: %d", outputs, scores.length);
    }
    double[] base = new double[outputs];
    for (int k = 0; k < outputs; k++) {
      base[k] = link.margin((float) scores[scores.length == 1 ? 0 : k]);
      ExchangeException.require(
          Double.isFinite(base[k]), "the model's base score is out of bounds: %s", scores[0]);
    }
    return base;
  }

  /** {@code 5E-1}, {@code [5E-1,2E-1]}, or a list. */
  private static double[] list(Document said) throws ExchangeException {
    if (!(said instanceof Document.Text(String text))) {
      return said instanceof Document.Numeric(double one) ? new double[] {one} : said.numbers();
    }
    List<Double> numbers = new ArrayList<>();
    for (String number : text.replace("[", "").replace("]", "").split(",", -1)) {
      numbers.add(new Document.Text(number.strip()).number());
    }
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
