package io.holdfast.service.score;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.service.Bikes;
import io.holdfast.service.TopologyRun;
import io.holdfast.service.label.OutcomeMeters;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.ModelSource;
import io.holdfast.service.route.DeadLetters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The topology that scores, and models that serve as a test says. */
abstract class ScoringFixture {
  static final byte[] KEY = "ride-1".getBytes(UTF_8);

  final ModelSettings bikes = Bikes.settings("weight", "weight");
  final ModelSettings binary = Bikes.settings("objective", "logistic", "labels.in", "topic");
  final Map<String, ActiveModel> active = new HashMap<>();
  final Map<String, ActiveModel> shadow = new HashMap<>();
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  @Nullable TopologyRun run;

  @AfterEach
  void close() {
    if (run != null) {
      run.close();
    }
  }

  ActiveModel serve(ModelSettings settings, long version, double cold, double warm) {
    ActiveModel model = Bikes.active(version, settings, cold, warm);
    active.put(settings.name(), model);
    return model;
  }

  void start(ModelSettings... models) {
    ModelSource source =
        new ModelSource() {
          @Override
          public @Nullable ActiveModel active(String model) {
            return active.get(model);
          }

          @Override
          public @Nullable ActiveModel shadow(String model) {
            return shadow.get(model);
          }
        };
    run =
        new TopologyRun(
            ScoringTopology.of(
                List.of(models),
                RecordFraming.of(Bikes.FRAMING),
                WrittenFramings.SINGLE,
                source,
                meters,
                TopologyRun.troubles(),
                null));
  }

  ScoringFixture send(ModelSettings settings, byte[] value) {
    start(settings);
    input().pipeInput(KEY, value);
    return this;
  }

  TopologyRun run() {
    return Objects.requireNonNull(run, "start the topology first");
  }

  TestInputTopic<byte[], byte[]> input() {
    return run().input("bikes.records");
  }

  TestRecord<byte[], byte[]> read(String topic) {
    return run().read(topic);
  }

  List<TestRecord<byte[], byte[]>> all(String topic) {
    return run().all(topic);
  }

  double labels(String outcome) {
    return meters.get(OutcomeMeters.LABELS).tag("outcome", outcome).counter().count();
  }

  double deadLetters(String of) {
    return meters.find(DeadLetters.COUNT).tag("of", of).counters().stream()
        .mapToDouble(Counter::count)
        .sum();
  }
}
