package io.holdfast.service.score;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.OrdinalLink;
import io.holdfast.boosting.objective.Thresholds;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.service.Bikes;
import io.holdfast.service.TopologyRun;
import io.holdfast.service.label.OutcomeMeters;
import io.holdfast.service.model.ActiveModel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** What the topology writes for objectives of several classes, and for counts. */
final class ObjectivesTopologyTest {
  private static final byte[] KEY = "ride-1".getBytes(UTF_8);

  private final Map<String, ActiveModel> active = new HashMap<>();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void softmax_givesARawScoreAndAProbabilityAClass_andTheLikeliestClass() throws Exception {
    ModelSettings settings = Bikes.settings("objective", "softmax", "classes", "3");
    // One tree of vectors and one of class 2: warm rides have the raw scores 0.5, 2.5, 0.25.
    serve(
        settings,
        settings.booster().objective(),
        Base.constant(0.5, 0.5, -0.5),
        split(0, 3, -1, -2, -3, 0, 2, 0),
        split(2, 1, 9, 0.75));

    try (TopologyRun run = run(settings)) {
      run.input("bikes.records").pipeInput(KEY, Bikes.ride(25.0, "SUMMER", 1.0, null));
      byte[] scored = run.read("bikes.scores").value();
      Score score = Contracts.SCORE.decode(scored);

      assertThat(score.getRawScores()).containsExactly(0.5, 2.5, 0.25);
      assertThat(score.getPrediction()).isEqualTo(1);
      double sum = Math.exp(0.5) + Math.exp(2.5) + Math.exp(0.25);
      assertThat(score.getProbabilities()).hasSize(3);
      assertThat(score.getProbabilities().get(0)).isCloseTo(Math.exp(0.5) / sum, within(1e-15));
      assertThat(score.getProbabilities().get(1)).isCloseTo(Math.exp(2.5) / sum, within(1e-15));
      assertThat(score.getProbabilities().get(2)).isCloseTo(Math.exp(0.25) / sum, within(1e-15));
      assertThat(Contracts.SCORE.encode(score)).as("as Avro itself encodes it").isEqualTo(scored);
      byte[] labelled = run.read("bikes.examples").value();
      Example example = Contracts.EXAMPLE.decode(labelled);
      assertThat(example.getServedRawScores()).containsExactly(0.5, 2.5, 0.25);
      assertThat(Contracts.EXAMPLE.encode(example)).isEqualTo(labelled);

      // The scorer's scratch is that of the next record.
      run.input("bikes.records").pipeInput(KEY, Bikes.ride(5, "SUMMER"));
      assertThat(Contracts.SCORE.decode(run.read("bikes.scores").value()).getRawScores())
          .containsExactly(-0.5, -1.5, 5.5);
    }
  }

  @Test
  void classesByName_areReadFromLabels_andNamedInScores() throws Exception {
    ModelSettings settings =
        Bikes.settings("objective", "logistic", "label", "season", "classes", "SUMMER,SPRING");
    serve(settings, settings.booster().objective(), Base.constant(0.5), split(0, 1, -1, 2));
    try (TopologyRun run = run(settings)) {
      run.input("bikes.records").pipeInput(KEY, Bikes.ride(25, "SUMMER"));
      run.input("bikes.records").pipeInput(KEY, Bikes.ride(5, "SPRING"));

      for (String likeliest : List.of("SPRING", "SUMMER")) { // of raw scores 2.5 and -0.5
        byte[] scored = run.read("bikes.scores").value();
        Score score = Contracts.SCORE.decode(scored);
        assertThat(score.getLabel()).isEqualTo(likeliest);
        assertThat(Contracts.SCORE.encode(score)).as("as Avro itself encodes it").isEqualTo(scored);
        assertThat(
                meters.get("holdfast.records.predicted").tag("class", likeliest).counter().count())
            .isEqualTo(1);
      }
      assertThat(Contracts.EXAMPLE.decode(run.read("bikes.examples").value()).getLabel()).isZero();
      assertThat(Contracts.EXAMPLE.decode(run.read("bikes.examples").value()).getLabel())
          .isEqualTo(1);
    }
  }

  @Test
  void labelOfNoClass_isADeadLetterThatNamesValueAndClasses() throws Exception {
    ModelSettings settings =
        Bikes.settings("objective", "softmax", "classes", "-1,7,120", "label", "count");
    serve(
        settings,
        settings.booster().objective(),
        Base.constant(0, 0, 1),
        split(0, 3, 1, 1, 1, 1, 1, 1));
    try (TopologyRun run = run(settings)) {
      for (double label : new double[] {7, -1, 120, 0}) {
        run.input("bikes.records").pipeInput(KEY, Bikes.ride(25.0, "SUMMER", label, null));
      }

      for (int number : new int[] {1, 0, 2}) {
        Example example = Contracts.EXAMPLE.decode(run.read("bikes.examples").value());
        assertThat(example.getLabel()).isEqualTo(number);
      }
      assertThat(run.all("bikes.examples")).isEmpty();
      assertThat(Contracts.SCORE.decode(run.read("bikes.scores").value()).getLabel())
          .isEqualTo("120");
      TestRecord<byte[], byte[]> refused = run.read("bikes.dead-letters");
      assertThat(TopologyRun.header(refused, DeadLetterMessage.REASON)).isEqualTo("BAD_LABEL");
      assertThat(TopologyRun.header(refused, "__streams.errors.message"))
          .isEqualTo("labels must be one of -1, 7, 120: 0");
    }
  }

  @Test
  void ordinal_isReadByTheThresholdsOfTheVersionThatServes() throws Exception {
    ModelSettings settings = Bikes.settings("objective", "ordinal", "classes", "3");
    try (TopologyRun run = run(settings)) {
      for (double upper : new double[] {1.0, 3.0}) {
        Objective learned = new Ordinal(3, OrdinalLink.LOGIT, Thresholds.of(-1, upper));
        serve(settings, learned, Base.constant(0.5), split(0, 1, -1, 2));
        run.input("bikes.records").pipeInput(KEY, Bikes.ride(25, "SUMMER"));

        Score score = Contracts.SCORE.decode(run.read("bikes.scores").value());

        double first = logistic(-1 - 2.5);
        double second = logistic(upper - 2.5) - first;
        assertThat(score.getRawScores()).containsExactly(2.5);
        assertThat(score.getProbabilities().get(0)).isCloseTo(first, within(1e-15));
        assertThat(score.getProbabilities().get(1)).isCloseTo(second, within(1e-15));
        assertThat(score.getProbabilities().get(2)).isCloseTo(1 - first - second, within(1e-15));
        assertThat(score.getPrediction()).isEqualTo(upper == 1 ? 2 : 1);
      }
    }
  }

  @Test
  void count_isPredictedByItsMean_withoutProbabilities() throws Exception {
    ModelSettings settings = Bikes.settings("objective", "poisson");
    serve(settings, settings.booster().objective(), Base.constant(0.5), split(0, 1, -1, 2));
    try (TopologyRun run = run(settings)) {
      run.input("bikes.records").pipeInput(KEY, Bikes.ride(25.0, "SUMMER", -3.0, null));

      Score score = Contracts.SCORE.decode(run.read("bikes.scores").value());
      assertThat(score.getPrediction()).isCloseTo(Math.exp(2.5), within(1e-14));
      assertThat(score.getProbabilities()).isEmpty();
      TestRecord<byte[], byte[]> refused = run.read("bikes.dead-letters");
      assertThat(TopologyRun.header(refused, DeadLetterMessage.REASON)).isEqualTo("BAD_LABEL");
      assertThat(TopologyRun.header(refused, "__streams.errors.message"))
          .isEqualTo("labels must be finite numbers of 0 or more: -3.0");
    }
  }

  @Test
  void anchors_areInTheExample_andAMissingOneIsADeadLetterOfTheLabel() throws Exception {
    ModelSettings settings = Bikes.settings("anchors", "temperature,weather.at");
    serve(settings, settings.booster().objective(), Base.constant(0), split(0, 1, 0, 0));
    try (TopologyRun run = run(settings)) {
      run.input("bikes.records").pipeInput(KEY, Bikes.ride(25.0, "SUMMER", 7.0, null));
      run.input("bikes.records").pipeInput(KEY, Bikes.ride(null, "SUMMER", 7.0, null));

      Example example = Contracts.EXAMPLE.decode(run.read("bikes.examples").value());
      assertThat(example.getAnchors()).containsExactly(25.0, 1_000.0);
      assertThat(run.all("bikes.examples")).isEmpty();
      assertThat(run.all("bikes.scores")).hasSize(2);
      TestRecord<byte[], byte[]> refused = run.read("bikes.dead-letters");
      assertThat(TopologyRun.header(refused, DeadLetterMessage.REASON)).isEqualTo("BAD_ANCHOR");
      assertThat(meters.get(OutcomeMeters.LABELS).tag("outcome", "MALFORMED").counter().count())
          .isEqualTo(1);
    }
  }

  private TopologyRun run(ModelSettings settings) {
    return new TopologyRun(
        ScoringTopology.of(
            List.of(settings),
            RecordFraming.of(Bikes.FRAMING),
            WrittenFramings.SINGLE,
            active::get,
            meters,
            TopologyRun.troubles(),
            null));
  }

  private static double logistic(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  /** A split at 20 degrees; values of the cold leaf, then of the warm one. */
  private static Tree split(int output, int outputs, double... values) {
    return new Tree(
        new int[] {0},
        new double[] {20},
        new boolean[] {true},
        new long[][] {{}},
        new int[] {-1},
        new int[] {-2},
        new Tree.Leaves(values, output, outputs));
  }

  private void serve(ModelSettings settings, Objective objective, Base base, Tree... trees) {
    List<Feature> features = new ArrayList<>();
    features.add(new Feature.Numeric("temperature"));
    Model model = new Model(objective, features, base, List.of(new Segment(List.of(trees))));
    LedgerCodec.Draft draft =
        new LedgerCodec.Draft(
            settings.name(),
            0,
            null,
            model,
            1,
            List.of(),
            List.of(),
            List.of(),
            1,
            settings.trainingJson(),
            Map.of(),
            "test");
    active.put(settings.name(), new ActiveModel(LedgerCodec.encode(draft).version()));
  }
}
