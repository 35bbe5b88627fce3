package io.holdfast.schemas.wire;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileConstants;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of an Avro container file, as the bytes that they are, from a file that nobody
 * vouches for. Owned by one thread.
 *
 * <p>No size that the file claims is allocated before it is known to fit what is left of the file
 * and the reader's bound. A file that ends within a block is an error; a block without records is
 * passed over, and is not the end.
 */
public final class ContainerReader implements Closeable {
  /*
   * Avro's own reader takes a block of no records for the end of the file, allocates what a header
   * or a block claims, and builds an object a record where the bytes are wanted.
   */
  private static final int MAX_HEADER_BYTES = 16 << 20;
  private static final int MAX_HEADER_ENTRIES = 1_000;
  private static final int MAX_BLOCK_BYTES = 256 << 20;
  private static final int FREE_RECORDS = 4_096; // that a block may have of no byte each

  private final InputStream in;
  private final int maxBlockBytes;
  private final BodyReader bodies = new BodyReader();
  private final Map<String, byte[]> meta = new HashMap<>();
  private final byte[] sync = new byte[DataFileConstants.SYNC_SIZE];
  private final Schema schema;
  private final BlockCodec codec;

  private long left; // bytes of the file
  private long blocks;
  private long records; // read or skipped
  private long inBlock; // records of the block that are still to come
  private byte[] block = {};
  private int position;
  private @Nullable BodyPlan<Object> plan;

  private ContainerReader(InputStream in, long size, int maxBlockBytes) throws IOException {
    this.in = in;
    this.left = size;
    this.maxBlockBytes = maxBlockBytes;
    readHeader();
    schema = readSchema();
    codec = BlockCodec.of(meta(DataFileConstants.CODEC), maxBlockBytes);
  }

  /** Opens a file of rows. */
  public static ContainerReader open(Path file) throws IOException {
    return open(file, MAX_BLOCK_BYTES);
  }

  /** The same of a file's bytes. */
  public static ContainerReader open(byte[] file, int maxBlockBytes) throws IOException {
    return new ContainerReader(new ByteArrayInputStream(file), file.length, maxBlockBytes);
  }

  /** Opens a file whose blocks may take so much, before and after they are decompressed. */
  public static ContainerReader open(Path file, int maxBlockBytes) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    boolean opened = false;
    try {
      ContainerReader reader = new ContainerReader(in, Files.size(file), maxBlockBytes);
      opened = true;
      return reader;
    } finally {
      if (!opened) {
        in.close();
      }
    }
  }

  /** The schema that the records were written with. */
  public Schema schema() {
    return schema;
  }

  /** What the header says under a key; null if it does not. */
  public @Nullable String meta(String key) {
    byte[] value = meta.get(key);
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  /** Records read so far. */
  public long records() {
    return records;
  }

  /** Counts the records from here to the end by what the blocks say, without decompressing them. */
  public long count() throws IOException {
    long before = records;
    records += inBlock;
    inBlock = 0;
    for (long size = nextBlock(); size >= 0; size = nextBlock()) {
      in.skipNBytes(size);
      left -= size;
      requireSync();
      records += inBlock;
      inBlock = 0;
    }
    return records - before;
  }

  /** The body of the next record; null if there is none. */
  public byte @Nullable [] next() throws IOException {
    while (inBlock == 0) {
      if (position != block.length) {
        throw new ContainerException(
            "block %,d is damaged: %,d bytes follow its last record",
            blocks, block.length - position);
      }
      long size = nextBlock();
      if (size < 0) {
        return null;
      }
      readBlock((int) size);
    }
    int from = position;
    try {
      if (plan == null) {
        plan = BodyPlan.checking(schema);
      }
      position = plan.readNext(block, from, this, bodies);
    } catch (MalformedRecordException e) {
      throw new ContainerException(
              "record %,d, in block %,d, is not what its schema says: %s",
              records + 1, blocks, e.getMessage())
          .because(e);
    }
    inBlock--;
    records++;
    return Arrays.copyOfRange(block, from, position);
  }

  /** Begins the next block; its bytes, -1 if there is none. */
  private long nextBlock() throws IOException {
    if (left == 0) {
      return -1;
    }
    blocks++;
    long count = readLong();
    long size = readLong();
    if (count < 0 || size < 0) {
      throw new ContainerException(
          "block %,d is damaged: it claims %,d records in %,d bytes", blocks, count, size);
    }
    if (size + sync.length > left) {
      throw cut();
    }
    if (size > maxBlockBytes) {
      throw new ContainerException(
          "block %,d has %,d bytes, and blocks of at most %,d are read",
          blocks, size, maxBlockBytes);
    }
    inBlock = count;
    return size;
  }

  private void readBlock(int size) throws IOException {
    byte[] bytes = readBytes(size);
    requireSync();
    block = inBlock == 0 ? new byte[0] : codec.decompress(bytes, blocks);
    position = 0;
    if (inBlock > block.length + (long) FREE_RECORDS) {
      throw new ContainerException(
          "block %,d is damaged: it claims %,d records in %,d bytes",
          blocks, inBlock, block.length);
    }
  }

  private void requireSync() throws IOException {
    if (!Arrays.equals(readBytes(sync.length), sync)) {
      throw new ContainerException(
          "block %,d is damaged: it does not end with the file's sync marker", blocks);
    }
  }

  private void readHeader() throws IOException {
    byte[] magic = DataFileConstants.MAGIC;
    if (left < magic.length || !Arrays.equals(readBytes(magic.length), magic)) {
      throw new ContainerException("it does not begin as one");
    }
    long most = Math.min(left, MAX_HEADER_BYTES);
    long end = left - most;
    for (long items = readLong(); items != 0; items = readLong()) {
      if (items < 0) {
        readLong(); // the block's bytes: its items say that again
      }
      // No item takes less than two bytes: a claim of more ends with the header.
      for (long i = 0; i < Math.abs(items) || items == Long.MIN_VALUE; i++) {
        String key = new String(readText(end), StandardCharsets.UTF_8);
        meta.put(key, readText(end));
        if (meta.size() > MAX_HEADER_ENTRIES) {
          throw damagedHeader();
        }
      }
    }
    System.arraycopy(readBytes(sync.length), 0, sync, 0, sync.length);
  }

  private byte[] readText(long end) throws IOException {
    long length = readLong();
    if (length > left) {
      throw cut();
    }
    if (length < 0 || length > left - end) {
      throw damagedHeader();
    }
    return readBytes((int) length);
  }

  private ContainerException damagedHeader() {
    return new ContainerException(
        "its header is damaged, or larger than %,d bytes", MAX_HEADER_BYTES);
  }

  @SuppressWarnings("IllegalCatch") // Avro's parser throws what it likes, even NPEs.
  private Schema readSchema() throws ContainerException {
    String json = meta(DataFileConstants.SCHEMA);
    if (json == null) {
      throw new ContainerException("its header holds no schema");
    }
    try {
      return SchemaFile.bounded(
          new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false).parse(json));
    } catch (RuntimeException | StackOverflowError e) {
      throw new ContainerException("its header holds a schema that is none").because(e);
    }
  }

  private long readLong() throws IOException {
    long raw = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = left == 0 ? -1 : in.read();
      if (next < 0) {
        throw cut();
      }
      left--;
      raw |= (next & 0x7FL) << shift;
      if (next < 0x80) {
        return (raw >>> 1) ^ -(raw & 1);
      }
    }
    if (blocks == 0) {
      throw new ContainerException("its header is damaged: it has a number of more than 64 bits");
    }
    throw new ContainerException(
        "block %,d is damaged: it begins with a number of more than 64 bits", blocks);
  }

  /** So many bytes, which are no more than a bound. */
  private byte[] readBytes(int count) throws IOException {
    if (count > left) {
      throw cut();
    }
    byte[] bytes = in.readNBytes(count); // allocates as they come
    if (bytes.length < count) {
      throw cut();
    }
    left -= count;
    return bytes;
  }

  private ContainerException cut() {
    return blocks == 0
        ? new ContainerException("it ends within its header: the rest was cut off")
        : new ContainerException(
            "it ends within block %,d, after %,d records: the rest was cut off", blocks, records);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
