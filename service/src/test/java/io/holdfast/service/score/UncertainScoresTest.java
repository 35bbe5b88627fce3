package io.holdfast.service.score;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.uncertainty.SpreadModel;
import io.holdfast.boosting.uncertainty.Thresholds;
import io.holdfast.boosting.uncertainty.Thresholds.Range;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.avro.ScoreBounds;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Kept;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.Bikes;
import io.holdfast.service.label.ExampleEncoder;
import io.holdfast.service.label.RowLabel;
import io.holdfast.service.model.ActiveModel;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Scores of versions that say how sure they are. */
final class UncertainScoresTest {
  private static final double SURE = 0.25; // the log of the spread up to 20 degrees
  private static final double UNSURE = 1.5; // and above

  private final RecordScorer scorer = new RecordScorer();
  private final UncertaintyEncoder uncertainty = new UncertaintyEncoder();
  private final ScoreEncoder encoder =
      new ScoreEncoder(WrittenFramings.SINGLE.scores(), "bikes.records");

  static ActiveModel active(ModelSettings settings, double cold, double warm) {
    LedgerVersion plain = Bikes.version(3, settings, cold, warm);
    Model model = plain.model();
    boolean classes = model.objective().classes() > 0;
    double least = classes ? Double.NEGATIVE_INFINITY : -1;
    var thresholds =
        new Thresholds(
            List.of(0.5, 0.9),
            700,
            classes ? List.of(1.0, 1.0) : List.of(0.5, 1.0),
            new TreeMap<>(
                Map.of("SUMMER", List.of(new Range(least, 0.5), new Range(2 * least, 2.5)))),
            List.of(new Range(3 * least, 1), new Range(4 * least, 5)));
    Tree tree =
        new Tree(
            new int[] {0},
            new double[] {20},
            new boolean[] {true},
            new long[][] {{}},
            new int[] {-1},
            new int[] {-2},
            new double[] {SURE, UNSURE});
    Model spreads =
        classes
            ? null
            : new Model(
                Objective.named("gamma"),
                SpreadModel.features(model.features()),
                Base.constant(0),
                List.of(new Segment(List.of(tree))));
    return new ActiveModel(
        new LedgerVersion(
            ModelManifest.newBuilder(plain.manifest()).setSettings(settings.trainingJson()).build(),
            plain.hash(),
            List.of(),
            model,
            List.of(),
            Kept.NONE,
            new Uncertainty(thresholds, 0, spreads, 0)));
  }

  private Score score(ActiveModel model, byte[] ride) throws MalformedRecordException {
    Framing.Frame frame = Bikes.FRAMING.open(ride);
    double[] raw = scorer.score(model, frame.schema(), ride, frame.bodyOffset());
    uncertainty.write(model, raw, scorer.spread(), frame.schema(), ride, frame.bodyOffset());
    byte[] bytes = encoder.encode(model, raw, 0, 7, null, uncertainty);
    Score score = Contracts.SCORE.decode(bytes);
    assertThat(Contracts.SCORE.encode(score)).as("as Avro itself writes it").isEqualTo(bytes);
    return score;
  }

  @Test
  void numbers_haveBoundsOfTheirEnvironment_andOfTheirSpread() throws Exception {
    ActiveModel model = active(Bikes.settings(), -1, 2);

    Score cold = score(model, Bikes.ride(10, "SUMMER"));
    Score warm = score(model, Bikes.ride(25, "SUMMER"));

    assertThat(cold.getUncertainty().getEnvironment()).isEqualTo("SUMMER");
    assertThat(cold.getUncertainty().getSpread()).isEqualTo(StrictMath.exp(SURE));
    assertThat(warm.getUncertainty().getSpread()).isEqualTo(StrictMath.exp(UNSURE));
    for (Score score : List.of(cold, warm)) {
      double spread = score.getUncertainty().getSpread();
      double root = StrictMath.pow(spread, 0.5);
      assertThat(score.getUncertainty().getLevels())
          .containsExactly(
              new ScoreBounds(
                  0.5, score.getPrediction() - root, score.getPrediction() + 0.5 * root, List.of()),
              new ScoreBounds(
                  0.9,
                  score.getPrediction() - 2 * spread,
                  score.getPrediction() + 2.5 * spread,
                  List.of()));
    }
  }

  @Test
  void environmentWithoutThresholds_hasTheMostCautious() throws Exception {
    Score score = score(active(Bikes.settings(), -1, 2), Bikes.ride(10, "SPRING"));

    assertThat(score.getUncertainty().getEnvironment()).isNull();
    double spread = score.getUncertainty().getSpread();
    assertThat(score.getUncertainty().getLevels().getLast().getLower())
        .isEqualTo(score.getPrediction() - 4 * spread);
    assertThat(score.getUncertainty().getLevels().getLast().getUpper())
        .isEqualTo(score.getPrediction() + 5 * spread);
  }

  @Test
  void classes_haveSets_whichMayBeEmpty() throws Exception {
    ActiveModel model = active(Bikes.settings("objective", "logistic"), -0.5, 2);

    Score even = score(model, Bikes.ride(10, "SUMMER")); // raw 0: both have one half
    Score likely = score(model, Bikes.ride(25, "SUMMER"));

    assertThat(even.getUncertainty().getSpread()).isEqualTo(1);
    assertThat(even.getUncertainty().getLevels())
        .containsExactly(
            new ScoreBounds(0.5, null, null, List.of()), // -log 0.5 is above 0.5
            new ScoreBounds(0.9, null, null, List.of(0, 1)));
    assertThat(likely.getUncertainty().getLevels())
        .containsExactly(
            new ScoreBounds(0.5, null, null, List.of(1)),
            new ScoreBounds(0.9, null, null, List.of(1)));
  }

  @Test
  void version_thatDoesNotSay_saysNothing_alsoAfterOneThatDid() throws Exception {
    byte[] ride = Bikes.ride(10, "SUMMER");
    assertThat(score(active(Bikes.settings(), -1, 2), ride).getUncertainty()).isNotNull();
    assertThat(uncertainty.written()).isNotNull();

    assertThat(score(Bikes.active(4, Bikes.settings(), -1, 2), ride).getUncertainty()).isNull();
    assertThat(uncertainty.written()).isNull();
  }

  @Test
  void example_carriesWhatTheScoreSaid() throws Exception {
    ActiveModel model = active(Bikes.settings(), -1, 2);
    byte[] ride = Bikes.ride(10, "SUMMER");
    Score score = score(model, ride);
    var label = new RowLabel(4, "SUMMER", 1, new double[0]);
    var examples = new ExampleEncoder(WrittenFramings.SINGLE.examples());

    Example example = example(examples, ride, label, model, uncertainty.written());
    Example without = example(examples, ride, label, model, null);

    assertThat(example.getUncertainty()).isEqualTo(score.getUncertainty());
    assertThat(without.getUncertainty()).isNull();
  }

  private static Example example(
      ExampleEncoder examples,
      byte[] ride,
      RowLabel label,
      ActiveModel model,
      byte @Nullable [] uncertainty)
      throws MalformedRecordException {
    var served = new ExampleEncoder.Served(3, model.hashBytes(), new double[] {0.5}, uncertainty);
    return Contracts.EXAMPLE.decode(examples.encode(ride, label, served, 0, 7));
  }
}
