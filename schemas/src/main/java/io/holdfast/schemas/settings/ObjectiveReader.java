package io.holdfast.schemas.settings;

import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.Huber;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.OrdinalLink;
import io.holdfast.boosting.objective.Quantile;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.objective.Tweedie;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.settings.keys.ModelKeys;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads a model's objective: its name, and the keys beside it that are its parameters. */
final class ObjectiveReader {
  private static final String AUTO = "auto";

  private static final List<String> BINARY = List.of("logistic", "probit", "exponential");
  private static final int MOST_CLASSES = 1_000;
  private static final int MOST_LETTERS = 200;

  private final Section model;
  private final List<String> classes;

  ObjectiveReader(Section model) {
    this.model = model;
    classes = model.names(ModelKeys.CLASSES);
  }

  /** The names of the classes, in their order; none if labels are their numbers. */
  List<String> classes() {
    return classes;
  }

  Objective read() {
    String name =
        model.required(ModelKeys.OBJECTIVE, "choose " + ModelKeys.OBJECTIVE.kind().rule(""));
    rejectForeign(name);
    checkClasses(BINARY.contains(name) ? 2 : MOST_CLASSES);
    return switch (name) {
      case "huber" -> new Huber(delta());
      case "quantile" -> new Quantile(alpha());
      case "softmax" -> new Softmax(classes(name));
      case "ordinal" ->
          new Ordinal(
              classes(name),
              model.read(ModelKeys.LINK).equals("probit") ? OrdinalLink.PROBIT : OrdinalLink.LOGIT);
      case "beta" -> beta();
      case "tweedie" -> new Tweedie(model.read(ModelKeys.POWER));
      default -> // after a mistake, too, so that the other settings are checked with something
          Objective.names().contains(name) ? Objective.named(name) : new Squared();
    };
  }

  /** Parameters of other objectives; with none to go by, they are passed over. */
  private void rejectForeign(String name) {
    if (classes.isEmpty() || !BINARY.contains(name)) {
      foreign(name, "classes", "softmax", "ordinal");
    }
    foreign(name, "link", "ordinal");
    foreign(name, "delta", "huber");
    foreign(name, "alpha", "quantile");
    foreign(name, "precision", "beta");
    foreign(name, "power", "tweedie");
  }

  private void foreign(String objective, String key, String... owners) {
    if (model.ignores(key) && !objective.isEmpty() && !List.of(owners).contains(objective)) {
      model.problem(
          "%s has no meaning for the objective %s: leave it out, or set %s to %s",
          model.name(key), objective, model.name("objective"), String.join(" or ", owners));
    }
  }

  private void checkClasses(int most) {
    String all = String.join(", ", classes);
    if (classes.size() == 1 || classes.size() > most) {
      model.wrong(ModelKeys.CLASSES, most == 2 ? "two names" : "2 to " + most + " names", all);
    }
    if (classes.stream().map(ClassLabels::key).distinct().count() < classes.size()) {
      model.wrong(ModelKeys.CLASSES, "names of which each is another", all);
    }
    for (String one : classes) {
      if (one.length() > MOST_LETTERS) {
        model.wrong(ModelKeys.CLASSES, "names of at most " + MOST_LETTERS + " letters", one);
      }
    }
  }

  private double delta() {
    require(
        "delta",
        "huber",
        "the size of error, in the unit of the label, from which on errors"
            + " count linearly and no longer squared");
    return model.read(ModelKeys.DELTA, 1.0);
  }

  private double alpha() {
    require("alpha", "quantile", "the share of labels that are to be below the prediction");
    return model.read(ModelKeys.ALPHA, 0.5);
  }

  private int classes(String name) {
    require("classes", name, "their names, or how many there are where labels are 0, 1, ...");
    return classes.isEmpty()
        ? model.read(ModelKeys.CLASSES, 2)
        : Math.clamp(classes.size(), 2, MOST_CLASSES);
  }

  private Beta beta() {
    String precision = model.read(ModelKeys.PRECISION);
    return precision.equals(AUTO)
        ? Beta.ofEstimatedPrecision()
        : Beta.ofPrecision(Double.parseDouble(precision));
  }

  private void require(String key, String objective, String meaning) {
    if (!model.has(key)) {
      model.problem(
          "%s is missing: the objective %s needs it, %s", model.name(key), objective, meaning);
    }
  }

  /**
   * The parameters that were configured, by key, as they would be written: numbers, or one word.
   * What is learned is not among them.
   */
  static SortedMap<String, Object> configured(Objective objective) {
    SortedMap<String, Object> parameters = new TreeMap<>();
    switch (objective) {
      case Softmax softmax -> parameters.put("classes", softmax.classes());
      case Ordinal ordinal -> {
        parameters.put("classes", ordinal.classes());
        parameters.put("link", ordinal.link().name().toLowerCase(Locale.ROOT));
      }
      case Beta beta -> parameters.put("precision", beta.estimated() ? AUTO : beta.precision());
      default -> parameters.putAll(objective.parameters()); // numbers, under the names of keys
    }
    return parameters;
  }
}
