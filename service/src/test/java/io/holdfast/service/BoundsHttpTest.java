package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.ClassCalibration;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.uncertainty.SpreadModel;
import io.holdfast.boosting.uncertainty.Thresholds;
import io.holdfast.boosting.uncertainty.Thresholds.Range;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LearnedCalibration;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Scores over HTTP say how sure they are: by REST, and by the Inference Protocol. */
final class BoundsHttpTest {
  private static final String RIDES =
      "[{\"temperature\": 25, \"season\": \"SUMMER\"}, {\"temperature\": 5}]";
  private static final String TENSORS =
      """
      {"inputs": [
        {"name": "temperature", "datatype": "FP64", "shape": [2], "data": [25, 5]},
        {"name": "season", "datatype": "BYTES", "shape": [2], "data": ["SUMMER", null]}]}
      """;

  /** That serves a version whose bounds are narrower in SUMMER. */
  private static HttpWorld world(ModelSettings settings) {
    HttpWorld world = new HttpWorld(settings, Bikes.RIDE, Map.of());
    LedgerVersion plain = Bikes.version(0, settings, -1, 2);
    boolean classes = plain.model().objective().classes() > 0;
    double least = classes ? Double.NEGATIVE_INFINITY : -1;
    var thresholds =
        new Thresholds(
            List.of(0.5, 0.975),
            700,
            List.of(1.0, 1.0),
            new TreeMap<>(
                Map.of("SUMMER", List.of(new Range(least, 0.5), new Range(2 * least, 2.5)))),
            List.of(new Range(3 * least, 1), new Range(4 * least, 5)));
    Model spreads =
        classes
            ? null
            : new Model(
                Objective.named("gamma"),
                SpreadModel.features(plain.model().features()),
                Base.constant(Math.log(2)),
                List.of());
    LedgerCodec.Draft draft =
        world
            .ledger
            .draft(0, null, plain.model())
            .withUncertainty(new Uncertainty(thresholds, 0, spreads, 0));
    world.ledger.head(world.ledger.publish(LedgerCodec.encode(draft)), HeadReason.INITIAL);
    return world;
  }

  /** That serves a version that corrects its probabilities. */
  private static HttpWorld corrected() {
    ModelSettings settings =
        Bikes.settings("objective", "logistic", "uncertainty.calibration", "beta");
    HttpWorld world = new HttpWorld(settings, Bikes.RIDE, Map.of());
    var calibration = new ClassCalibration(List.of(0.5, 0.25), List.of(0.0, -1.0));
    LedgerCodec.Draft draft =
        world
            .ledger
            .draft(0, null, Bikes.version(0, settings, -1, 2).model())
            .withCalibration(new LearnedCalibration(calibration, 500, 0));
    world.ledger.head(world.ledger.publish(LedgerCodec.encode(draft)), HeadReason.INITIAL);
    return world;
  }

  @Test
  void correctedProbabilities_areWhatIsServed_onEveryWay() throws Exception {
    try (HttpWorld world = corrected()) {
      JsonNode answer = world.json(world.post("/api/v1/models/bikes/score", RIDES));
      assertThat(answer.get("calibrated").asBoolean()).isTrue();
      JsonNode tensors = world.json(world.post("/v2/models/bikes/infer", TENSORS));
      JsonNode explained = world.json(world.post("/api/v1/models/bikes/explain", RIDES));
      assertThat(explained.get("calibrated").asBoolean()).isTrue();
      for (int row = 0; row < 2; row++) {
        JsonNode prediction = answer.get("predictions").get(row);
        double raw = prediction.get("rawScore").asDouble();
        assertThat(raw).isEqualTo(row == 0 ? 2.5 : -0.5); // the trees' own
        double one = Math.exp(-1) * Math.pow(1 / (1 + Math.exp(-raw)), 0.25);
        double zero = Math.pow(1 / (1 + Math.exp(raw)), 0.5);
        assertThat(prediction.get("prediction").asDouble())
            .isCloseTo(one / (one + zero), within(1e-12));
        assertThat(prediction.get("probabilities").get(1).asDouble())
            .isEqualTo(prediction.get("prediction").asDouble());
        assertThat(output(tensors, "prediction").get("data").get(row))
            .isEqualTo(prediction.get("prediction"));
        assertThat(output(tensors, "probabilities").get("data").get(2 * row + 1))
            .isEqualTo(prediction.get("prediction"));
        assertThat(explained.get("explanations").get(row).get("prediction")).isEqualTo(prediction);
      }
    }
  }

  private static JsonNode output(JsonNode answer, String name) {
    for (JsonNode output : answer.get("outputs")) {
      if (output.get("name").asText().equals(name)) {
        return output;
      }
    }
    throw new AssertionError("there is no output " + name + ": " + answer);
  }

  @Test
  void numbers_haveBoundsByLevelAndEnvironment() throws Exception {
    try (HttpWorld world = world(Bikes.settings("uncertainty.coverage", "0.5,0.975"))) {
      JsonNode answer = world.json(world.post("/api/v1/models/bikes/score", RIDES));
      double[][] expected = {{-2, 1, -4, 5}, {-6, 2, -8, 10}}; // spreads are 2
      for (int row = 0; row < 2; row++) {
        JsonNode of = answer.get("predictions").get(row);
        assertThat(of.get("bounds")).hasSize(2);
        for (int level = 0; level < 2; level++) {
          JsonNode bounds = of.get("bounds").get(level);
          double prediction = of.get("prediction").asDouble();
          assertThat(bounds.get("coverage").asDouble()).isEqualTo(level == 0 ? 0.5 : 0.975);
          assertThat(bounds.get("lower").asDouble() - prediction)
              .isCloseTo(expected[row][2 * level], within(1e-9));
          assertThat(bounds.get("upper").asDouble() - prediction)
              .isCloseTo(expected[row][2 * level + 1], within(1e-9));
        }
      }

      JsonNode tensors = world.json(world.post("/v2/models/bikes/infer", TENSORS));
      for (int level = 0; level < 2; level++) {
        for (String end : List.of("lower", "upper")) {
          JsonNode output = output(tensors, end + (level == 0 ? "_50" : "_97.5"));
          assertThat(output.get("datatype").asText()).isEqualTo("FP64");
          assertThat(output.get("shape")).hasToString("[2]");
          for (int row = 0; row < 2; row++) {
            assertThat(output.get("data").get(row).asDouble())
                .isEqualTo(
                    answer.at("/predictions/" + row + "/bounds/" + level + "/" + end).asDouble());
          }
        }
      }
      JsonNode metadata = world.json(world.get("/v2/models/bikes"));
      assertThat(metadata.get("outputs").toString()).contains("lower_50", "upper_97.5");
    }
  }

  @Test
  void classes_haveSets() throws Exception {
    ModelSettings settings =
        Bikes.settings("objective", "logistic", "uncertainty.coverage", "0.5,0.975");
    try (HttpWorld world = world(settings)) {
      JsonNode answer = world.json(world.post("/api/v1/models/bikes/score", RIDES));
      JsonNode warm = answer.get("predictions").get(0).get("bounds");
      JsonNode cold = answer.get("predictions").get(1).get("bounds");
      assertThat(warm.get(0).get("classes")).hasToString("[1]"); // -log 0.076 is above 0.5
      assertThat(warm.get(0).get("lower").isNull()).isTrue();
      assertThat(warm.get(1).get("classes")).hasToString("[1]"); // and above 2.5
      assertThat(cold.get(0).get("classes")).hasToString("[0,1]");

      JsonNode tensors = world.json(world.post("/v2/models/bikes/infer", TENSORS));
      assertThat(output(tensors, "set_50").get("datatype").asText()).isEqualTo("BOOL");
      assertThat(output(tensors, "set_50").get("shape")).hasToString("[2,2]");
      assertThat(output(tensors, "set_50").get("data")).hasToString("[false,true,true,true]");
    }
  }
}
