package io.holdfast.service.label;

import java.io.IOException;
import org.apache.avro.io.Encoder;

/** Arrays of doubles, written as Avro's own writer does. Stateless. */
public final class Doubles {
  private Doubles() {}

  /** Writes an array, in one block. */
  public static void write(Encoder encoder, double[] values) throws IOException {
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
