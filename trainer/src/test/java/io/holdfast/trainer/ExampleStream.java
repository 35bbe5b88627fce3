package io.holdfast.trainer;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.trainer.learn.RowSource;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Served;
import io.holdfast.trainer.window.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecordBuilder;

/** A made-up stream of examples that something can be learned from, the same for the same seed. */
public final class ExampleStream {
  /** What the records look like. */
  public static final Schema SCHEMA =
      SchemaBuilder.record("Row")
          .namespace("test")
          .fields()
          .requiredDouble("x")
          .requiredString("color")
          .endRecord();

  private static final RecordEncoder ENCODER = new RecordEncoder(SCHEMA);

  private ExampleStream() {}

  /** Opens the stream's frames. */
  public static Framing framing() {
    return new SingleObjectFraming(SchemaSource.of(List.of(SCHEMA)));
  }

  /**
   * Settings of a small model {@code m} to which trees are appended, with other values for the keys
   * in {@code changes}.
   */
  public static ModelSettings settings(Map<String, String> changes) {
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                "objective", "squared",
                "label", "label",
                "environment", "env",
                "labels.in", "topic",
                "trees.rounds", "3",
                "trees.minRows", "5",
                "trees.maxLeaves", "4",
                "update.policy", "append",
                "window.rows", "40",
                "window.memoryRows", "60"));
    values.putAll(changes);
    return ModelSettings.of("m", values, key -> key);
  }

  /** One record, framed. */
  public static byte[] record(double x, String color) {
    return ENCODER.encode(new GenericRecordBuilder(SCHEMA).set("x", x).set("color", color).build());
  }

  /** A row with what was served for it. */
  public static LabelledRow row(
      Position position, byte[] record, double label, String environment, double served) {
    return new LabelledRow(
        position, record, label, 1, environment, new Served(served, 0, Digest.of(new byte[0])));
  }

  /** {@code count} rows over {@code partitions} partitions, with rising timestamps. */
  public static List<LabelledRow> rows(long seed, int count, int partitions) {
    return rows(seed, count, partitions, 2);
  }

  /** The same, over so many environments. */
  public static List<LabelledRow> rows(long seed, int count, int partitions, int environments) {
    var random = new SplittableRandom(seed);
    long[] offsets = new long[partitions];
    List<String> colors = List.of("red", "green", "blue");
    List<LabelledRow> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int partition = random.nextInt(partitions);
      double x = random.nextDouble();
      // Later colors appear later, so that the categories grow from version to version.
      String color = colors.get(random.nextInt(Math.min(colors.size(), 1 + i / 60)));
      String environment = "e" + random.nextInt(environments);
      double label =
          3 * x
              + (color.equals("red") ? 1 : 0)
              + (environment.equals("e1") ? 0.5 : 0)
              + random.nextDouble(-0.1, 0.1);
      var position = new Position(partition, offsets[partition]++, 1_000 + i);
      rows.add(row(position, record(x, color), label, environment, random.nextDouble()));
    }
    return rows;
  }

  /** The log of these rows, of which nothing is gone. */
  public static RowSource source(List<LabelledRow> log) {
    return cuts ->
        new RowSource.Found(
            log.stream()
                .filter(
                    row -> {
                      Window.Cut cut = cuts.get(row.position().partition());
                      long offset = row.position().offset();
                      return cut != null && cut.from() <= offset && offset < cut.to();
                    })
                .toList(),
            new TreeMap<>());
  }
}
