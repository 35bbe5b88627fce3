package io.holdfast.trainer.strength;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.select.GammaChoice;
import io.holdfast.boosting.select.LadderSearch;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.rows.WindowRows;
import java.util.HashMap;
import java.util.Map;

/** Chooses the gamma of the next trees. Stateless. */
public final class GammaSchedule {
  /** Versions between choices: one costs the training of some windows. */
  private static final int EVERY = 10;

  private static final String WORST = "gammaWorst";
  private static final String MEAN = "gammaMean";
  private static final String LEAST_MEAN = "gammaLeastMean";

  private GammaSchedule() {}

  /**
   * What to train with.
   *
   * @param settings with the gamma
   * @param metrics of a choice, for the manifest; empty where none was due
   */
  public record Scheduled(ModelSettings settings, Map<String, Double> metrics) {
    public Scheduled {
      metrics = Map.copyOf(metrics);
    }
  }

  /**
   * The settings to train with: where gamma is {@code auto}, with the tip's, or with one chosen
   * from the rows by leaving environments out. All of memory is decoded for that.
   *
   * @param version the number of the version to be
   * @throws IllegalArgumentException in one sentence, if the rows cannot be trained on
   */
  public static Scheduled of(
      ModelSettings settings, LedgerVersion tip, WindowRows rows, long version) {
    if (!settings.strength().auto()) {
      return new Scheduled(settings, Map.of());
    }
    Rows all = rows.all(); // before the features: it may add categories
    BoosterSettings present =
        settings.booster().toBuilder().gamma(tip.manifest().getGamma()).build();
    if (version % EVERY != 1 && tip.grown().trees() > 0) {
      return new Scheduled(settings.with(present), Map.of());
    }
    GammaChoice choice =
        LadderSearch.DEFAULT.by(settings.strength().by()).choose(present, rows.features(), all);
    Map<String, Double> metrics = new HashMap<>();
    choice
        .chosen()
        .ifPresent(
            chosen -> {
              metrics.put(WORST, chosen.worst());
              metrics.put(MEAN, chosen.mean());
            });
    choice.leastMean().ifPresent(least -> metrics.put(LEAST_MEAN, least.mean()));
    return new Scheduled(settings.with(choice.appliedTo(present)), metrics);
  }

  /** A version's choice and its cost, as a sentence; empty where none was due. */
  public static String sentence(ModelManifest manifest) {
    Map<String, Double> metrics = manifest.getMetrics();
    Double worst = metrics.get(WORST);
    Double mean = metrics.get(MEAN);
    Double least = metrics.get(LEAST_MEAN);
    if (worst == null || mean == null || least == null) {
      return "";
    }
    return Sentence.of(
        "Gamma %.4g was chosen by leaving environments out: the worst of them loses %.4g, the mean"
            + " is %.4g, and %.4g with the gamma of the least mean.",
        manifest.getGamma(), worst, mean, least);
  }
}
