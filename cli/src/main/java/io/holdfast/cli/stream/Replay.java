package io.holdfast.cli.stream;

import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.EventTimes;
import io.holdfast.cli.data.Projection;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.SingleObjectFraming;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Sends a file's rows to a topic, their labels with them or later. One thread's; one run each. */
public final class Replay {
  private final DataFile file;
  private final Plan plan;
  private final @Nullable Projection projection;
  private final Schema schema;
  private final SingleObjectFraming framing = new SingleObjectFraming(fingerprint -> null);
  private final ContractCodec<Label> labels = new ContractCodec<>(Label.class);
  private final FieldDecoder fields;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private long rows;
  private long labelsSent;

  /**
   * What is sent where, by fields of the file's schema; null is: the row's number from 1 for the
   * key, the time of sending for the time, labels within the records, times in milliseconds.
   */
  public record Plan(
      String topic,
      @Nullable String key,
      @Nullable String time,
      @Nullable LabelPlan labels,
      @Nullable EventTimes times) {}

  /**
   * Labels in their own topic, some rows later than the records, which go without them.
   *
   * @param classes what they may name, if classes have names
   */
  public record LabelPlan(String field, String topic, int delay, ClassLabels classes) {}

  public record Sent(long rows, long labels) {}

  private record Waiting(long row, String key, double label) {}

  public Replay(DataFile file, Plan plan) {
    this.file = file;
    this.plan = plan;
    LabelPlan apart = plan.labels();
    projection = apart == null ? null : Projection.without(file.schema(), apart.field());
    schema = projection == null ? file.schema() : projection.schema();
    List<String> paths =
        Stream.of(plan.key(), plan.time(), apart == null ? null : apart.field())
            .filter(Objects::nonNull)
            .toList();
    try {
      fields = FieldDecoder.compile(file.schema(), paths);
    } catch (MalformedRecordException e) {
      throw new DataException("%s: %s", file.name(), e.getMessage());
    }
  }

  public Schema schema() {
    return schema;
  }

  /** Sends everything and waits until it is acknowledged; each row and each label runs a step. */
  public Sent run(RecordSender sender, Pace pace, Runnable rowSent, Runnable labelSent) {
    LabelPlan apart = plan.labels();
    try (RowCursor cursor = file.open()) {
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        pace.await();
        if (Thread.currentThread().isInterrupted()) {
          break;
        }
        rows++;
        send(body, cursor, sender);
        rowSent.run();
        if (apart == null) {
          labelSent.run();
        } else {
          sendLabels(apart, rows - apart.delay(), sender, labelSent);
        }
      }
    }
    if (apart != null) {
      sendLabels(apart, rows, sender, labelSent);
    }
    sender.flush();
    return new Sent(rows, labelsSent);
  }

  private void send(byte[] body, RowCursor at, RecordSender sender) {
    @Nullable Object[] values = at.fields(fields, body);
    int next = 0;
    String key = plan.key() == null ? String.valueOf(rows) : FieldDecoder.text(values[next++]);
    Long time = null;
    if (plan.time() != null) {
      double given = number(values[next++], at, "a time");
      EventTimes times = plan.times();
      time = (long) (times == null ? given : times.millis(given));
    }
    byte[] record = projection == null ? body : projection.apply(body);
    sender.send(plan.topic(), key, framing.frame(schema, record), time);
    LabelPlan labelled = plan.labels();
    if (labelled != null && values[next] != null) {
      waiting.add(new Waiting(rows, key, label(values[next], labelled.classes(), at)));
    }
  }

  private static double label(@Nullable Object value, ClassLabels classes, RowCursor at) {
    if (value == null || !classes.isNamed()) {
      return number(value, at, "a label");
    }
    int number = classes.number(value);
    if (number < 0) {
      throw new DataException(
          "%s: the label must be one of the classes %s: %s",
          at.place(), classes, FieldDecoder.text(value));
    }
    return classes.spoken(number);
  }

  private void sendLabels(LabelPlan apart, long row, RecordSender sender, Runnable labelSent) {
    while (!waiting.isEmpty() && waiting.getFirst().row() <= row) {
      Waiting first = waiting.removeFirst();
      Label label =
          Label.newBuilder().setLabel(first.label()).setEnvironment(null).setWeight(null).build();
      sender.send(apart.topic(), first.key(), labels.encode(label), null);
      labelsSent++;
      labelSent.run();
    }
  }

  private static Double number(@Nullable Object value, RowCursor at, String what) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    if (value instanceof String text) {
      try {
        return Double.valueOf(text);
      } catch (NumberFormatException e) {
        throw new DataException("%s: %s must be a number: %s", at.place(), what, text);
      }
    }
    throw new DataException("%s: %s is missing", at.place(), what);
  }
}
