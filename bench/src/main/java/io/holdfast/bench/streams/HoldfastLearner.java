package io.holdfast.bench.streams;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Served;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.jspecify.annotations.Nullable;

/**
 * Holdfast's trainer and scorer, as the service runs them, without Kafka: records are Avro, each is
 * decoded to be scored and again to be trained on, and versions are encoded and hashed. The records
 * are encoded beforehand, by whoever sends them. Trains on its own thread.
 */
final class HoldfastLearner implements StreamLearner {
  private static final InstantSource TIME = InstantSource.fixed(Instant.EPOCH);

  private final Rows rows;
  private final TrainerCore trainer;
  private final Schema schema;
  private final byte[][] records;
  private final ArrayDeque<Served> served = new ArrayDeque<>();
  private final double[] features;
  private final List<WindowReport> reports = new ArrayList<>();
  private @Nullable Serving serving;

  /** What scores: a version laid out for the records. */
  private record Serving(LedgerVersion version, Scorer scorer, FeatureDecoder decoder) {}

  /** A model with settings changed by key. */
  HoldfastLearner(LabelledStream stream, Map<String, String> changes) {
    rows = stream.rows();
    features = new double[rows.width()];
    schema = schema(stream.features());
    trainer =
        new TrainerCore(
            settings(stream.classes(), changes),
            new SingleObjectFraming(SchemaSource.of(List.of(schema))));
    trainer.apply(trainer.begin(schema, TIME));
    records = new byte[rows.size()][];
    RecordEncoder encoder = new RecordEncoder(schema);
    for (int row = 0; row < records.length; row++) {
      records[row] = encoder.encode(record(stream.features(), row));
    }
  }

  private static ModelSettings settings(int classes, Map<String, String> changes) {
    Map<String, String> values = new HashMap<>();
    values.put("label", "label");
    values.put("labels.in", "topic");
    values.put("environment", "environment");
    switch (classes) {
      case 0 -> values.put("objective", "squared");
      case 2 -> values.put("objective", "logistic");
      default -> {
        values.put("objective", "softmax");
        values.put("classes", Integer.toString(classes));
      }
    }
    values.putAll(changes);
    return ModelSettings.of("stream", values, key -> key);
  }

  private static Schema schema(List<Feature> features) {
    SchemaBuilder.FieldAssembler<Schema> fields = SchemaBuilder.record("Row").fields();
    for (Feature feature : features) {
      fields =
          switch (feature) {
            case Feature.Numeric numeric -> fields.optionalDouble(numeric.name());
            case Feature.Categorical categorical -> fields.optionalString(categorical.name());
          };
    }
    return fields.endRecord();
  }

  private GenericData.Record record(List<Feature> columns, int row) {
    GenericData.Record record = new GenericData.Record(schema);
    for (int column = 0; column < columns.size(); column++) {
      double value = rows.feature(row, column);
      if (!Double.isNaN(value)) {
        record.put(
            column,
            switch (columns.get(column)) {
              case Feature.Numeric _ -> value;
              case Feature.Categorical categorical -> categorical.categories().get((int) value);
            });
      }
    }
    return record;
  }

  @Override
  public double predict(int row) {
    Serving now = serving();
    double[] raw = new double[now.scorer.outputs()];
    try {
      now.decoder.decode(records[row], SingleObjectFraming.HEADER_BYTES, features);
    } catch (MalformedRecordException e) {
      throw new IllegalStateException("row " + row + " was encoded here", e);
    }
    now.scorer.score(features, raw);
    served.add(new Served(raw, now.version.number(), now.version.hash()));
    Objective objective = now.version.model().objective();
    double prediction = objective.prediction(raw);
    return objective.binary() ? (prediction > 0.5 ? 1 : 0) : prediction;
  }

  /** What the row predicted last was served. */
  Served newest() {
    return served.getLast();
  }

  private Serving serving() {
    LedgerVersion version = trainer.serving();
    Serving now = serving;
    if (now == null || now.version.number() != version.number()) {
      try {
        now =
            new Serving(
                version,
                now == null ? Scorer.of(version.model()) : Scorer.of(version.model(), now.scorer),
                now != null && now.version.model().features().equals(version.model().features())
                    ? now.decoder
                    : version.decoder(schema));
      } catch (MalformedRecordException e) {
        throw new IllegalStateException("the schema has all features", e);
      }
      serving = now;
    }
    return now;
  }

  @Override
  public void learn(int row) {
    trainer
        .add(
            new LabelledRow(
                new Position(0, row, row),
                records[row],
                rows.label(row),
                rows.weight(row),
                rows.environments().get(rows.environment(row)),
                served.removeFirst()))
        .ifPresent(
            refusal -> {
              throw new IllegalStateException("row " + row + " was refused: " + refusal);
            });
    trainer.provisional(TIME).ifPresent(trainer::apply);
    trainer
        .completeWindow()
        .ifPresent(
            window -> {
              TrainerEvent.Concluded concluded = trainer.decide(window, TIME);
              trainer.apply(concluded);
              reports.add(concluded.report());
            });
  }

  /** Of all windows until now, oldest first. */
  List<WindowReport> reports() {
    return reports;
  }
}
