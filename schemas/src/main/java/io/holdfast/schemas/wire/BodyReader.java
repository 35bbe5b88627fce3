package io.holdfast.schemas.wire;

import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads Avro binary bodies from untrusted bytes, one after the other. Owned by one thread.
 *
 * <p>Every method either returns what is there or throws {@link MalformedRecordException}; none
 * allocates by a size that the bytes claim before that size is known to fit the bytes.
 */
public final class BodyReader {
  /*
   * Work is bounded by the bytes: an item of a collection takes a byte at least, except items that
   * encode to nothing (null, empty records). `itemsLeft` bounds those too, over all collections of
   * the body, so that a few bytes cannot claim a billion nulls.
   */
  private static final int FREE_ITEMS = 4_096;
  private static final int MAX_DEPTH = 100;
  private static final VarHandle DOUBLE =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle FLOAT =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] NOTHING = new byte[0];
  private static final int[] NO_MARKS = new int[0];

  private byte[] bytes = NOTHING;
  private int end;
  private int position;
  private int depth;
  private long itemsLeft;
  private int[] marks = NO_MARKS;
  private int marked;

  /** A reader of nothing yet. */
  public BodyReader() {}

  /** Reads {@code bytes[from, bytes.length)}; the array is not copied and not changed. */
  public BodyReader(byte[] bytes, int from) {
    begin(bytes, from);
  }

  /** Turns to another body, {@code bytes[from, bytes.length)}, whatever was read until then. */
  final void begin(byte[] bytes, int from) {
    if (from < 0 || from > bytes.length) {
      throw new IllegalArgumentException(
          "from must be 0 to the length " + bytes.length + ": " + from);
    }
    this.bytes = bytes;
    this.position = from;
    this.end = bytes.length;
    this.depth = 0;
    this.itemsLeft = (long) (end - from) + FREE_ITEMS;
    this.marked = 0;
  }

  /** The array that is read. */
  byte[] bytes() {
    return bytes;
  }

  /** Where the next byte is read. */
  int position() {
    return position;
  }

  /** Notes that more is to be known of the value at a place in what the body is decoded to. */
  public void mark(int place) {
    if (marked == marks.length) {
      marks = Arrays.copyOf(marks, 2 * marked + 4);
    }
    marks[marked++] = place;
  }

  /** How many values of the body were marked. */
  public int marked() {
    return marked;
  }

  /** The place of the i-th of them. */
  public int markedPlace(int i) {
    return marks[Objects.checkIndex(i, marked)];
  }

  public boolean readBoolean() throws MalformedRecordException {
    require(1);
    byte value = bytes[position++];
    if ((value & ~1) != 0) {
      throw invalid("a boolean is " + value + ", not 0 or 1");
    }
    return value == 1;
  }

  public int readInt() throws MalformedRecordException {
    long value = readLong();
    if ((int) value != value) {
      throw invalid("an int is " + value);
    }
    return (int) value;
  }

  public long readLong() throws MalformedRecordException {
    long raw = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      require(1);
      byte next = bytes[position++];
      raw |= (next & 0x7FL) << shift;
      if (next >= 0) {
        if (shift == 63 && next > 1) {
          break;
        }
        return (raw >>> 1) ^ -(raw & 1);
      }
    }
    throw invalid("a whole number has more than 64 bits");
  }

  public float readFloat() throws MalformedRecordException {
    require(Float.BYTES);
    float value = (float) FLOAT.get(bytes, position);
    position += Float.BYTES;
    return value;
  }

  public double readDouble() throws MalformedRecordException {
    require(Double.BYTES);
    double value = (double) DOUBLE.get(bytes, position);
    position += Double.BYTES;
    return value;
  }

  /** The number of a union branch or enum symbol, checked to be below {@code count}. */
  public int readIndex(int count) throws MalformedRecordException {
    long index = readLong();
    if (index < 0 || index >= count) {
      throw invalid("branch or symbol " + index + " of " + count);
    }
    return (int) index;
  }

  /** A string; one of more than {@code maxBytes} bytes is refused. */
  public String readString(int maxBytes) throws MalformedRecordException {
    int length = readLength();
    if (length > maxBytes) {
      throw new MalformedRecordException(
          Reason.LIMIT_EXCEEDED,
          "a text of " + length + " bytes, at most " + maxBytes + " are read");
    }
    String text = new String(bytes, position, length, StandardCharsets.UTF_8);
    position += length;
    return text;
  }

  /** Hands a string's bytes to {@code visitor}, without copying them. */
  public <R> void readText(TextVisitor<R> visitor, R target) throws MalformedRecordException {
    int length = readLength();
    visitor.visit(bytes, position, length, target);
    position += length;
  }

  /**
   * Takes the UTF-8 bytes {@code bytes[from, from + length)}; must neither keep nor change them.
   */
  @FunctionalInterface
  public interface TextVisitor<R> {
    void visit(byte[] bytes, int from, int length, R target);
  }

  /** A number of at most 8 bytes in two's complement, the highest byte first. */
  public long readBigEndian(int length) throws MalformedRecordException {
    require(length);
    long value = length == 0 ? 0 : bytes[position]; // with its sign
    for (int i = 1; i < length; i++) {
      value = value << Byte.SIZE | (bytes[position + i] & 0xFF);
    }
    position += length;
    return value;
  }

  /** So many bytes, which {@link #readLength} may have given. */
  byte[] readBytes(int length) throws MalformedRecordException {
    require(length);
    byte[] copy = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return copy;
  }

  /** The length of a string or of bytes, checked to be there. */
  int readLength() throws MalformedRecordException {
    long length = readLong();
    if (length < 0) {
      throw invalid("a length is " + length);
    }
    require(length);
    return (int) length;
  }

  /** How many items the next block of an array or map has; 0 ends it. */
  long readBlock() throws MalformedRecordException {
    long items = readLong();
    if (items < 0) {
      items = -items;
      readLong(); // The block's size in bytes: its items say that again, and are what counts.
    }
    if (items < 0 || items > itemsLeft) {
      throw new MalformedRecordException(
          Reason.LIMIT_EXCEEDED,
          "a block claims " + items + " items, more than its bytes can hold");
    }
    itemsLeft -= items;
    return items;
  }

  void skip(long count) throws MalformedRecordException {
    require(count);
    position += (int) count;
  }

  void enter() throws MalformedRecordException {
    if (++depth > MAX_DEPTH) {
      throw new MalformedRecordException(
          Reason.LIMIT_EXCEEDED, "records are nested more than " + MAX_DEPTH + " deep");
    }
  }

  void leave() {
    depth--;
  }

  void requireEnd() throws MalformedRecordException {
    if (position != end) {
      throw new MalformedRecordException(
          Reason.TRAILING_BYTES, (end - position) + " bytes follow the record");
    }
  }

  private void require(long count) throws MalformedRecordException {
    if (count > end - position) {
      throw new MalformedRecordException(
          Reason.TRUNCATED,
          "the bytes end at " + end + " where " + count + " more are needed from " + position);
    }
  }

  private MalformedRecordException invalid(String what) {
    return new MalformedRecordException(Reason.INVALID_VALUE, what + " before byte " + position);
  }
}
