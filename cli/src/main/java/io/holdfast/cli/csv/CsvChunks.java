package io.holdfast.cli.csv;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Cuts a CSV text after lines that end outside of quotes. Owned by one thread. */
final class CsvChunks {
  /** What a field without its closing quote may take until that is said. */
  private static final int LONGEST_LINE = 64 << 20;

  private final InputStream in;
  private final int size;
  private Marks marks = Marks.USUAL;
  private byte[] rest = {};
  private boolean ended;

  CsvChunks(InputStream in, int size) {
    this.in = in;
    this.size = size;
  }

  /** Whole lines, the last with its end: {@code bytes[0, end)}. The array is the reader's. */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Chunk(byte[] bytes, int end, boolean last) {}

  /** What the text begins with; it comes again in the first chunk. */
  Chunk beginning() throws IOException {
    rest = in.readNBytes(size);
    ended = rest.length < size;
    return new Chunk(rest, rest.length, ended);
  }

  void marked(Marks known) {
    marks = known;
  }

  @Nullable Chunk next() throws IOException {
    byte[] bytes = Arrays.copyOf(rest, Math.max(size, rest.length));
    int length = rest.length;
    while (true) {
      if (!ended) {
        int read = in.readNBytes(bytes, length, bytes.length - length);
        ended = read < bytes.length - length;
        length += read;
      }
      if (ended) {
        rest = new byte[0];
        return length == 0 ? null : whole(bytes, length);
      }
      int end = end(bytes, length);
      if (end > 0) {
        rest = Arrays.copyOfRange(bytes, end, length);
        return new Chunk(bytes, end, false);
      }
      if (length > LONGEST_LINE) {
        throw new CsvException(1, "begins a row of more than 64 MB: is a quote never closed?");
      }
      bytes = Arrays.copyOf(bytes, 2 * length);
    }
  }

  private static Chunk whole(byte[] bytes, int length) {
    if (Marks.isEnd(bytes[length - 1])) {
      return new Chunk(bytes, length, true);
    }
    byte[] ended = Arrays.copyOf(bytes, length + 1);
    ended[length] = '\n';
    return new Chunk(ended, length + 1, true);
  }

  /** After the last line that ends; 0 if none does. */
  private int end(byte[] bytes, int length) {
    for (int i = 0; i < length; i++) {
      if (bytes[i] == marks.quote()) {
        return endOutsideQuotes(bytes, length);
      }
    }
    int last = length - 1; // a carriage return there may be half of an end
    int end = bytes[last] == '\n' ? length : last;
    while (end > 0 && !Marks.isEnd(bytes[end - 1])) {
      end--;
    }
    return end;
  }

  private int endOutsideQuotes(byte[] bytes, int length) {
    int end = 0;
    int i = 0;
    while (i < length) {
      int space = marks.space(bytes, i);
      if (space > 0) {
        i += space;
        continue;
      }
      if (bytes[i] == marks.quote()) {
        i = afterQuotes(bytes, i + 1, length);
      }
      while (i < length && bytes[i] != marks.delimiter() && !Marks.isEnd(bytes[i])) {
        i++;
      }
      if (i >= length - 1) {
        return i < length && bytes[i] == '\n' ? length : end;
      }
      if (bytes[i] == '\r' && bytes[i + 1] == '\n') {
        i++;
      }
      end = Marks.isEnd(bytes[i]) ? i + 1 : end;
      i++;
    }
    return end;
  }

  private int afterQuotes(byte[] bytes, int from, int length) {
    for (int i = from; i < length - 1; i++) {
      if (bytes[i] == marks.quote()) {
        if (bytes[i + 1] != marks.quote()) {
          return i + 1;
        }
        i++;
      }
    }
    return length;
  }
}
