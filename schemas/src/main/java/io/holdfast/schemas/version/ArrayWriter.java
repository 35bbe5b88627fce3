package io.holdfast.schemas.version;

import java.io.IOException;
import java.util.Collection;
import org.apache.avro.io.Encoder;

/** Writes Avro's arrays, in one block each. */
final class ArrayWriter {
  private ArrayWriter() {}

  /** Writes an item. */
  @FunctionalInterface
  interface Item<T> {
    void write(T item) throws IOException;
  }

  /** Writes the item of a place. */
  @FunctionalInterface
  interface Place {
    void write(int place) throws IOException;
  }

  static <T> void write(Encoder out, Collection<T> items, Item<T> item) throws IOException {
    out.writeArrayStart();
    out.setItemCount(items.size());
    for (T one : items) {
      item.write(one);
    }
    out.writeArrayEnd();
  }

  static void write(Encoder out, int items, Place item) throws IOException {
    out.writeArrayStart();
    out.setItemCount(items);
    for (int place = 0; place < items; place++) {
      item.write(place);
    }
    out.writeArrayEnd();
  }
}
