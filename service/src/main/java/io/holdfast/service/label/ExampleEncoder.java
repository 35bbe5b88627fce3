package io.holdfast.service.label;

import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.framing.ContractFraming;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@link Example}s, framed, without building the object: the same bytes as Avro's own writer
 * gives. Owned by one thread.
 */
public final class ExampleEncoder {
  private final byte[] frame;
  private final boolean tellsUncertainty;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(1024);
  private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(buffer, null);

  public ExampleEncoder(ContractFraming framing) {
    this.frame = framing.prefix();
    this.tellsUncertainty = framing.has("uncertainty");
  }

  /**
   * The score that was served; arrays are not copied.
   *
   * @param uncertainty Avro's encoding of the score's field; null if it does not say
   */
  @SuppressWarnings("ArrayRecordComponent") // an argument; never compared
  public record Served(
      long version, byte[] hash, double[] rawScores, byte @Nullable [] uncertainty) {}

  /** One example; {@code record} is the record's framed bytes. */
  public byte[] encode(
      byte[] record, RowLabel label, Served served, int sourcePartition, long sourceOffset) {
    try {
      buffer.reset();
      buffer.writeBytes(frame);
      encoder.writeBytes(record);
      encoder.writeDouble(label.label());
      encoder.writeString(label.environment());
      writeDoubles(label.anchors());
      encoder.writeDouble(label.weight());
      encoder.writeLong(served.version());
      encoder.writeFixed(served.hash());
      writeDoubles(served.rawScores());
      encoder.writeInt(sourcePartition);
      encoder.writeLong(sourceOffset);
      byte[] uncertainty = served.uncertainty();
      if (tellsUncertainty && uncertainty == null) {
        encoder.writeIndex(0);
      } else if (tellsUncertainty && uncertainty != null) {
        encoder.writeFixed(uncertainty); // with its branch
      }
      encoder.flush();
      return buffer.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("a byte array cannot fail to be written", e);
    }
  }

  private void writeDoubles(double[] values) throws IOException {
    encoder.writeArrayStart();
    if (values.length > 0) {
      encoder.setItemCount(values.length);
      for (double value : values) {
        encoder.startItem();
        encoder.writeDouble(value);
      }
    }
    encoder.writeArrayEnd();
  }
}
