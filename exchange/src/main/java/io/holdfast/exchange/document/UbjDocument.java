package io.holdfast.exchange.document;

import io.holdfast.exchange.foreign.ExchangeException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Reads Universal Binary JSON (draft 12), as XGBoost writes it. Of one document. */
public final class UbjDocument {
  /*
   *   {  key value ... }       a key is a length (a marker of a whole number, and it) and UTF-8
   *   [  value ... ]           values in order
   *   [ $ marker # length      packed: values of one type without markers, and no end
   *   [ # length               so many values, and no end
   *   S length                 a text in UTF-8
   *   i U I l L                whole numbers of 1, 1, 2, 4 and 8 bytes, the second without a sign
   *   d D                      a float, a double
   *   C T F Z N                a character, true, false, null, nothing at all
   *
   * All numbers are big-endian. A length is held against the bytes that are left before anything is
   * made for it.
   */
  private static final int MOST_LEVELS = 64;

  private final ByteBuffer in;

  private UbjDocument(ByteBuffer in) {
    this.in = in;
  }

  /** Reads one value. */
  public static Document parse(byte[] bytes) throws ExchangeException {
    var reader = new UbjDocument(ByteBuffer.wrap(bytes));
    try {
      return reader.value(reader.marker(), 0);
    } catch (BufferUnderflowException e) {
      throw ExchangeException.of("the model is cut off: it ends after %d bytes", reader.in.limit());
    }
  }

  private char marker() {
    char marker = 'N';
    while (marker == 'N') {
      marker = (char) (in.get() & 0xFF);
    }
    return marker;
  }

  private Document value(char marker, int level) throws ExchangeException {
    ExchangeException.require(
        level < MOST_LEVELS, "the model has lists in lists of more than %d levels", MOST_LEVELS);
    return switch (marker) {
      case '{' -> fields(level);
      case '[' -> items(level);
      case 'S', 'H' -> new Document.Text(text(length(marker())));
      case 'C' -> new Document.Text(Character.toString(in.get() & 0xFF));
      case 'T' -> new Document.Truth(true);
      case 'F' -> new Document.Truth(false);
      case 'Z' -> new Document.Nothing();
      default -> new Document.Numeric(number(marker));
    };
  }

  private double number(char marker) throws ExchangeException {
    return switch (marker) {
      case 'd' -> in.getFloat();
      case 'D' -> in.getDouble();
      default -> whole(marker, "value");
    };
  }

  private long whole(char marker, String what) throws ExchangeException {
    return switch (marker) {
      case 'i' -> in.get();
      case 'U' -> in.get() & 0xFF;
      case 'I' -> in.getShort();
      case 'l' -> in.getInt();
      case 'L' -> in.getLong();
      default ->
          throw ExchangeException.of(
              "the model has a byte %d at %d where a %s must begin",
              (int) marker, in.position() - 1, what);
    };
  }

  private static int bytes(char marker) {
    return switch (marker) {
      case 'i', 'U' -> 1;
      case 'I' -> 2;
      case 'l', 'd' -> 4;
      case 'L', 'D' -> 8;
      default -> 0;
    };
  }

  /** A length of what takes at least so many bytes each. */
  private int length(char marker, int bytesOfEach) throws ExchangeException {
    long length = whole(marker, "length");
    if (length < 0 || length > in.remaining() / bytesOfEach) {
      throw ExchangeException.of(
          "the model names a length of %d at byte %d, and has %d bytes after it",
          length, in.position(), in.remaining());
    }
    return (int) length;
  }

  private int length(char marker) throws ExchangeException {
    return length(marker, 1);
  }

  private String text(int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private Document fields(int level) throws ExchangeException {
    Map<String, Document> fields = new HashMap<>();
    for (char marker = marker(); marker != '}'; marker = marker()) {
      String name = text(length(marker));
      fields.put(name, value(marker(), level + 1));
    }
    return new Document.Fields(fields);
  }

  private Document items(int level) throws ExchangeException {
    char marker = marker();
    if (marker == '$') {
      return packed();
    }
    var items = new Document.Builder();
    if (marker == '#') {
      int count = length(marker());
      for (int k = 0; k < count; k++) {
        items.add(value(marker(), level + 1));
      }
      return items.build();
    }
    for (; marker != ']'; marker = marker()) {
      items.add(value(marker, level + 1));
    }
    return items.build();
  }

  private Document packed() throws ExchangeException {
    char type = marker();
    int bytes = bytes(type);
    char hash = marker();
    if (bytes <= 0 || hash != '#') {
      throw ExchangeException.of(
          "the model has a packed list of type %d at byte %d, which is of no numbers",
          (int) type, in.position());
    }
    double[] numbers = new double[length(marker(), bytes)];
    for (int k = 0; k < numbers.length; k++) {
      numbers[k] = number(type);
    }
    return new Document.Numbers(numbers);
  }
}
