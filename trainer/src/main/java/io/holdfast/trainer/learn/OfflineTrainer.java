package io.holdfast.trainer.learn;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Promised;
import io.holdfast.trainer.window.Served;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A {@link TrainerCore} for rows of numbers from a simulation or a file, without Kafka: each row is
 * scored by the version that serves when it comes, and its label arrives some rows later. Owned by
 * one thread.
 *
 * <pre>{@code
 * var trainer = new OfflineTrainer(settings, stream.features(), delay);
 * for (...) {
 *   double[] served = trainer.next(row.features(), row.label(), "");   // scored, then learned from
 * }
 * }</pre>
 */
public final class OfflineTrainer {
  /*
   * Rows become Avro records in memory, with a double or a string a feature, and go through the same
   * decoder as on Kafka. The label is a field where the settings have it in the record.
   */
  private static final InstantSource NO_TIME = InstantSource.fixed(Instant.EPOCH);
  private static final double[] NO_ANCHORS = {};

  private final TrainerCore core;
  private final Schema schema;
  private final SingleObjectFraming framing;
  private final List<Feature> features;
  private final int delay;
  private final boolean labelInRecord;
  private final ArrayDeque<LabelledRow> waiting = new ArrayDeque<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final ByteBuffer number = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
  private LedgerVersion serving;
  private Scorer scorer;
  private @Nullable RowBounds bounds;
  private Consumer<TrainerEvent.Concluded> listener = concluded -> {};
  private long rows;

  /**
   * A model at version 0.
   *
   * @param settings with every feature included; the label's name must be no feature's
   * @param delay how many rows later a label arrives; 0 is before the next row
   */
  public OfflineTrainer(ModelSettings settings, List<Feature> features, int delay) {
    this(settings, features, delay, null);
  }

  /** The same from a version on, such as an imported one, which has the features' names. */
  public OfflineTrainer(
      ModelSettings settings, List<Feature> features, int delay, @Nullable LedgerVersion from) {
    Check.that(delay >= 0, "delay must be 0 or more: %s", delay);
    this.features = List.copyOf(features);
    this.delay = delay;
    labelInRecord = settings.labels() instanceof ModelSettings.Labels.InRecord;
    schema = schema(this.features, labelInRecord ? List.of(settings.label()) : List.of());
    Schema known = schema;
    long fingerprint = Fingerprint.of(schema);
    framing = new SingleObjectFraming(asked -> asked == fingerprint ? known : null);
    core = new TrainerCore(settings, framing);
    if (from == null) {
      core.apply(core.begin(schema, NO_TIME));
    } else {
      Standing standing = Standing.first(from, NO_TIME.instant());
      core.resume(standing, List.of(from.manifest()), Progress.NONE);
    }
    serving = core.serving();
    scorer = Scorer.of(serving.model());
    bounds = serving.bounds();
  }

  /** Sets who is told of each window, after it was concluded. */
  public void onWindow(Consumer<TrainerEvent.Concluded> told) {
    listener = told;
  }

  public TrainerCore core() {
    return core;
  }

  /**
   * Scores a row, then learns the label that is due; returns the raw scores.
   *
   * @param values one a feature, a code for a category; NaN if missing
   */
  public double[] next(double[] values, double label, String environment) {
    if (serving.number() != core.serving().number()) {
      serving = core.serving();
      scorer = Scorer.of(serving.model(), scorer);
      bounds = serving.bounds();
    }
    double[] raw = new double[scorer.outputs()];
    double[] coded = coded(values);
    scorer.score(coded, raw);
    RowBounds promises = bounds;
    Promised promised =
        promises == null
            ? null
            : Promised.of(promises, environment, raw, promises.spread(coded, raw), label);
    byte[] record = framing.frame(schema, body(values, label));
    waiting.add(
        new LabelledRow(
            new Position(0, rows, rows),
            record,
            label,
            1,
            environment,
            NO_ANCHORS,
            new Served(raw, serving.number(), serving.hash(), promised)));
    rows++;
    if (waiting.size() > delay) {
      learn(waiting.removeFirst());
    }
    return raw;
  }

  private void learn(LabelledRow row) {
    core.add(row)
        .ifPresent(
            refusal -> {
              throw new IllegalArgumentException("a row cannot be used: " + refusal.reason());
            });
    core.provisional(NO_TIME).ifPresent(core::apply);
    core.completeWindow()
        .ifPresent(
            window -> {
              TrainerEvent.Concluded concluded = core.decide(window, NO_TIME);
              core.apply(concluded);
              listener.accept(concluded);
            });
  }

  /** The values with the serving version's codes for categories. */
  private double[] coded(double[] values) {
    double[] coded = values.clone();
    for (int k = 0; k < coded.length; k++) {
      if (features.get(k) instanceof Feature.Categorical given
          && serving.model().features().get(k) instanceof Feature.Categorical known) {
        int code =
            Double.isNaN(values[k])
                ? -1
                : known.categories().indexOf(given.categories().get((int) values[k]));
        coded[k] = code < 0 ? Double.NaN : code;
      }
    }
    return coded;
  }

  private byte[] body(double[] values, double label) {
    body.reset();
    for (int k = 0; k < values.length; k++) {
      if (features.get(k) instanceof Feature.Categorical categorical) {
        text(Double.isNaN(values[k]) ? "" : categorical.categories().get((int) values[k]));
      } else {
        number(values[k]);
      }
    }
    if (labelInRecord) {
      number(label);
    }
    return body.toByteArray();
  }

  private void number(double value) {
    body.writeBytes(number.putDouble(0, value).array());
  }

  private void text(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    int left = bytes.length << 1; // zig-zag
    while (left >= 0x80) {
      body.write((left & 0x7f) | 0x80);
      left >>>= 7;
    }
    body.write(left);
    body.writeBytes(bytes);
  }

  private static Schema schema(List<Feature> features, List<String> others) {
    List<String> fields = new ArrayList<>();
    for (Feature feature : features) {
      fields.add(field(feature.name(), feature instanceof Feature.Categorical));
    }
    others.forEach(name -> fields.add(field(name, false)));
    return new Schema.Parser()
        .parse(
            "{\"type\":\"record\",\"name\":\"Row\",\"fields\":[" + String.join(",", fields) + "]}");
  }

  private static String field(String name, boolean text) {
    return "{\"name\":\"" + name + "\",\"type\":\"" + (text ? "string" : "double") + "\"}";
  }
}
