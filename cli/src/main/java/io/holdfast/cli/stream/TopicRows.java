package io.holdfast.cli.stream;

import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.TopicFramings;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The records of one topic as rows. Owned by one thread. */
sealed interface TopicRows {

  /** An Avro body behind some bytes, and the schema that it was written by. */
  @SuppressWarnings("ArrayRecordComponent") // made for one record; never compared
  record Row(Schema schema, byte[] bytes, int from) {
    byte[] body() {
      return from == 0 ? bytes : Arrays.copyOfRange(bytes, from, bytes.length);
    }
  }

  /** The row of a record that has a value. */
  Row open(ConsumerRecord<byte[], byte[]> record) throws MalformedRecordException;

  /**
   * Of a topic as the model reads it whose records or examples it has, or else as it looks like.
   */
  static TopicRows of(Settings settings, String topic, TopicFramings framings) {
    for (ModelSettings model : settings.models().values()) {
      if (model.topics().records().equals(topic)) {
        return new Records(framings.records(model));
      }
      if (model.topics().examples().equals(topic)) {
        return new Examples(framings.single(), model, new IdentityHashMap<>());
      }
    }
    return new Records(framings.detected(topic));
  }

  /** Values are the rows. */
  record Records(RecordFraming framing) implements TopicRows {
    @Override
    public Row open(ConsumerRecord<byte[], byte[]> record) throws MalformedRecordException {
      byte[] value = record.value();
      Framing.Frame frame = framing.open(value, record.headers());
      return new Row(frame.schema(), frame.bytes(value), frame.bodyOffset());
    }
  }

  /** Records that were scored, with the label that came for each as a column of its own. */
  record Examples(Framing single, ModelSettings model, Map<Schema, Schema> labelled)
      implements TopicRows {
    @Override
    public Row open(ConsumerRecord<byte[], byte[]> record) throws MalformedRecordException {
      Example example = Contracts.EXAMPLE.decode(record.value());
      byte[] value = example.getRecord().array();
      Framing.Frame frame = single.open(value);
      if (model.labels() instanceof Labels.InRecord) {
        return new Row(frame.schema(), value, frame.bodyOffset());
      }
      Schema schema = labelled.computeIfAbsent(frame.schema(), this::withLabel);
      var bytes = new ByteArrayOutputStream(value.length + Double.BYTES);
      bytes.write(value, frame.bodyOffset(), value.length - frame.bodyOffset());
      try {
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
        if (model.classes().isEmpty()) {
          encoder.writeDouble(example.getLabel());
        } else {
          encoder.writeString(ClassLabels.of(model.classes()).name((int) example.getLabel()));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new Row(schema, bytes.toByteArray(), 0);
    }

    private Schema withLabel(Schema record) {
      if (record.getField(model.label()) != null) {
        throw new DataException(
            "records of model %s have a field %s beside the label that examples carry: name another"
                + " label in the configuration",
            model.name(), model.label());
      }
      List<Schema.Field> fields = new ArrayList<>();
      record.getFields().forEach(field -> fields.add(new Schema.Field(field, field.schema())));
      Schema.Type type = model.classes().isEmpty() ? Schema.Type.DOUBLE : Schema.Type.STRING;
      fields.add(new Schema.Field(model.label(), Schema.create(type)));
      return Schema.createRecord(record.getName(), null, record.getNamespace(), false, fields);
    }
  }
}
