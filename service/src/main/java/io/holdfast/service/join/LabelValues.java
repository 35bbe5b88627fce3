package io.holdfast.service.join;

import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.label.RowFieldReader;
import io.holdfast.service.label.RowFields;
import org.apache.kafka.common.header.Headers;

/** Reads labels of our own contract, and of the user's schemas. Thread-safe. */
final class LabelValues {
  private final RecordFraming framing;
  private final RowFieldReader own;
  private final RowFieldReader contract;

  LabelValues(ModelSettings settings, RecordFraming framing) {
    this.framing = framing;
    this.own = RowFieldReader.ownLabel(settings);
    this.contract = RowFieldReader.labelContract(settings);
  }

  /** What a label says of its row. */
  RowFields read(byte[] label, Headers headers) throws MalformedRecordException {
    return read(framing.open(label, headers), label);
  }

  /** The same, of an opened frame. */
  RowFields read(Framing.Frame frame, byte[] label) throws MalformedRecordException {
    boolean ours = frame.schema().getFullName().equals(Label.getClassSchema().getFullName());
    return (ours ? contract : own).read(frame.schema(), frame.bytes(label), frame.bodyOffset());
  }
}
