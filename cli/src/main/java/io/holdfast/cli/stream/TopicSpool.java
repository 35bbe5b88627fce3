package io.holdfast.cli.stream;

import io.holdfast.cli.data.MergedSchema;
import io.holdfast.cli.data.Projection;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.TopicRange;
import io.holdfast.cli.ledger.KnownFramings;
import io.holdfast.cli.print.Progress;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.file.TemporaryFile;
import io.holdfast.schemas.log.Broker;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.wire.BodyPlan;
import io.holdfast.schemas.wire.BodyReader;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The records of a range of a topic as an Avro file, which is gone when the process ends: opened as
 * the service opens them, the earliest first. Owned by one thread.
 *
 * <p>Records of several schemas are read twice: what reads all of them is known at the end.
 */
public final class TopicSpool {
  private final TopicRange range;
  private final TopicRows rows;
  private final TopicReader reader;
  private final IdentityHashMap<Schema, BodyPlan<Object>> checks = new IdentityHashMap<>();
  private final BodyReader bodies = new BodyReader();

  private @Nullable Schema whole; // reads all that has come so far
  private @Nullable Schema begun; // of the file
  private long unreadable;
  private String firstUnreadable = "";

  private TopicSpool(TopicRange range, TopicRows rows, TopicReader reader) {
    this.range = range;
    this.rows = rows;
    this.reader = reader;
  }

  /**
   * Reads all of it.
   *
   * @param remedy what to do if the broker has no such topic
   * @param notes takes sentences on what was left out
   */
  public static Path of(
      Settings settings, TopicRange range, String remedy, Consumer<String> notes) {
    Broker.require(settings.kafka(), List.of(range.topic()), remedy);
    try (SchemaTopic schemas = KnownFramings.schemas(settings, settings.models().values());
        var framings = new KnownFramings(settings, schemas);
        var reader = new TopicReader(settings.kafka(), range)) {
      var rows = TopicRows.of(settings, range.topic(), framings.framings());
      return new TopicSpool(range, rows, reader).spool(notes);
    } catch (IOException e) {
      throw new DataException("what %s holds cannot be kept here: %s", range.topic(), e).because(e);
    }
  }

  private Path spool(Consumer<String> notes) throws IOException {
    Path file = TemporaryFile.of(this::write);
    if (!Objects.equals(begun, whole)) {
      Files.delete(file);
      file = TemporaryFile.of(this::write);
    }
    if (unreadable > 0) {
      notes.accept(
          Sentence.of(
              "%,d records of %s are left out, which cannot be decoded: the first is %s",
              unreadable, range.topic(), firstUnreadable));
    }
    return file;
  }

  private void write(OutputStream out) throws IOException {
    reader.rewind();
    unreadable = 0;
    begun = null;
    IdentityHashMap<Schema, Projection> projections = new IdentityHashMap<>();
    try (var writer = new DataFileWriter<GenericRecord>(new GenericDatumWriter<>());
        Progress progress = Progress.of("Reading", reader.offsets())) {
      for (var record = reader.next(); record != null; record = reader.next()) {
        progress.step();
        TopicRows.Row row = record.value() == null ? null : open(record);
        if (row == null) {
          continue;
        }
        if (begun == null) {
          begun = Objects.requireNonNull(whole);
          writer.create(begun, out);
        }
        if (begun.equals(whole)) { // else it is read anew, when all schemas are known
          byte[] body = row.body();
          Schema wanted = begun;
          writer.appendEncoded(
              ByteBuffer.wrap(
                  row.schema().equals(wanted)
                      ? body
                      : projections
                          .computeIfAbsent(row.schema(), one -> Projection.to(one, wanted))
                          .apply(body)));
        }
      }
    }
    if (begun == null) {
      throw none();
    }
  }

  /** A record as a row; null, and counted, if it is none. */
  private TopicRows.@Nullable Row open(ConsumerRecord<byte[], byte[]> record) {
    try {
      TopicRows.Row row = rows.open(record);
      BodyPlan<Object> check = checks.get(row.schema());
      if (check == null) {
        check = BodyPlan.checking(row.schema());
      }
      check.read(row.bytes(), row.from(), this, bodies);
      if (checks.put(row.schema(), check) == null) {
        Schema merged =
            whole == null ? row.schema() : MergedSchema.of(range.topic(), row.schema(), whole);
        whole = merged.equals(whole) ? whole : merged;
      }
      return row;
    } catch (MalformedRecordException e) {
      if (unreadable++ == 0) {
        firstUnreadable =
            Sentence.of(
                "offset %d of partition %d: %s",
                record.offset(), record.partition(), e.getMessage());
      }
      return null;
    }
  }

  private DataException none() {
    return unreadable == 0
        ? new DataException("topic %s has no records %s", range.topic(), range)
        : new DataException(
            "none of the %,d records of topic %s %s can be decoded: the first is %s",
            unreadable, range.topic(), range, firstUnreadable);
  }
}
