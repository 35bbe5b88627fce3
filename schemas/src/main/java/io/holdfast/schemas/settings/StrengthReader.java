package io.holdfast.schemas.settings;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.schemas.settings.keys.ModelKeys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what gamma follows. Stateless. */
final class StrengthReader {
  /** Versions hold that many beside their own. */
  private static final int MOST_RUNGS = 8;

  private StrengthReader() {}

  /** Whether gamma is to be chosen. */
  static boolean auto(Section model) {
    return "auto".equals(model.optionalText("gamma"));
  }

  static Strength read(Section model, BoosterSettings booster) {
    boolean auto = auto(model);
    if (auto && model.optionalText("environment") == null) {
      model.problem(
          "%s is auto, which leaves environments out to choose: name the field that says where a"
              + " row comes from as %s",
          model.name("gamma"), model.name("environment"));
    }
    model.onlyIf(auto, "gammaBy", "gamma", "auto");
    boolean worst = model.read(ModelKeys.GAMMA_BY).equals("worst");
    Criterion by = worst ? new Criterion.Worst() : new Criterion.Mean();
    Section section = model.section("ladder");
    List<Double> gammas = gammas(section);
    String serve = section.optional(ModelKeys.LADDER_SERVE);
    if (serve != null && gammas.isEmpty()) {
      section.problem(
          "%s has no meaning without %s: leave it out",
          section.name("serve"), section.name("gammas"));
      serve = null;
    }
    if (!gammas.isEmpty() && !booster.objective().anchorable()) {
      section.uselessFor(booster.objective().name(), "gammas", "takes no gamma but 1");
    }
    boolean adaptive = "adaptive".equals(serve);
    Double served = serve == null || adaptive ? null : served(section, gammas, booster, auto);
    section.rejectUnknown();
    return new Strength(auto, by, gammas, served, adaptive);
  }

  /** As {@code gammaBy} has it. */
  static String nameOf(Criterion by) {
    return by instanceof Criterion.Worst ? "worst" : "mean";
  }

  private static List<Double> gammas(Section section) {
    List<Double> gammas = new ArrayList<>();
    for (String text : section.list(ModelKeys.LADDER)) {
      double gamma = number(text);
      if (!(gamma >= 0 && gamma < Double.POSITIVE_INFINITY)
          || (!gammas.isEmpty() && gamma <= gammas.getLast())) {
        section.wrong("gammas", "an ascending list of numbers of 0 or more", text);
        return List.of();
      }
      gammas.add(gamma);
    }
    if (gammas.size() > MOST_RUNGS) {
      section.wrong("gammas", "a list of at most " + MOST_RUNGS + " numbers", "" + gammas.size());
      return List.of();
    }
    return gammas;
  }

  private static @Nullable Double served(
      Section section, List<Double> gammas, BoosterSettings booster, boolean auto) {
    String text = section.read(ModelKeys.LADDER_SERVE, "");
    double gamma = number(text);
    if (!gammas.contains(gamma) && (auto || gamma != booster.gamma())) {
      section.wrong("serve", "one of the ladder's gammas, or adaptive", Section.quoted(text));
      return null;
    }
    return gamma == booster.gamma() && !auto ? null : (Double) gamma;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN; // which is in no range
    }
  }
}
