package io.holdfast.schemas.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.jspecify.annotations.Nullable;

/** Decompresses the blocks of a container file. Owned by one thread. */
@FunctionalInterface
interface BlockCodec {
  List<String> NAMES =
      List.of(
          DataFileConstants.NULL_CODEC,
          DataFileConstants.DEFLATE_CODEC,
          DataFileConstants.BZIP2_CODEC,
          DataFileConstants.SNAPPY_CODEC,
          DataFileConstants.XZ_CODEC,
          DataFileConstants.ZSTANDARD_CODEC);

  /** What a block holds, or a ContainerException if it is damaged or too large. */
  byte[] decompress(byte[] block, long number) throws IOException;

  /** The codec of a name, null for none; a block may take {@code maxBytes}. */
  static BlockCodec of(@Nullable String name, int maxBytes) throws ContainerException {
    String codec = name == null ? DataFileConstants.NULL_CODEC : name;
    if (!NAMES.contains(codec)) {
      throw new ContainerException(
          "it is compressed with the codec %s, and those that are read are %s",
          codec, String.join(", ", NAMES));
    }
    return switch (codec) {
      case DataFileConstants.NULL_CODEC -> (block, number) -> block;
      case DataFileConstants.DEFLATE_CODEC -> (block, number) -> inflate(block, number, maxBytes);
      default -> ofAvro(codec);
    };
  }

  private static byte[] inflate(byte[] block, long number, int maxBytes) throws ContainerException {
    try (Inflater inflater = new Inflater(true)) {
      inflater.setInput(block);
      byte[] bytes = new byte[(int) Math.min(maxBytes, 4L * block.length + 64)];
      int size = 0;
      while (true) {
        int more = inflater.inflate(bytes, size, bytes.length - size);
        size += more;
        if (inflater.finished()) { // some writers leave a checksum behind, which is passed over
          return Arrays.copyOf(bytes, size);
        }
        if (more == 0 && size < bytes.length) {
          throw damaged(number, null);
        }
        if (size == bytes.length) {
          if (size == maxBytes) {
            throw new ContainerException(
                "block %,d is larger than %,d bytes when it is decompressed", number, maxBytes);
          }
          bytes = Arrays.copyOf(bytes, (int) Math.min(maxBytes, 2L * size));
        }
      }
    } catch (DataFormatException e) {
      throw damaged(number, e);
    }
  }

  /**
   * Avro's own codecs, which have a bound of their own: a quarter of the heap, at most 200 MB. They
   * are reached by way of a container file of the one block alone.
   */
  private static BlockCodec ofAvro(String codec) {
    byte[] sync = new byte[DataFileConstants.SYNC_SIZE];
    byte[] header =
        ContractCodec.body(
            out -> {
              out.writeFixed(DataFileConstants.MAGIC);
              out.writeMapStart();
              out.setItemCount(2);
              out.writeString(DataFileConstants.SCHEMA);
              out.writeBytes("\"null\"".getBytes(UTF_8));
              out.writeString(DataFileConstants.CODEC);
              out.writeBytes(codec.getBytes(UTF_8));
              out.writeMapEnd();
              out.writeFixed(sync);
            });
    return (block, number) -> {
      byte[] start =
          ContractCodec.body(
              out -> {
                out.writeFixed(header);
                out.writeLong(1);
                out.writeLong(block.length);
              });
      List<InputStream> parts =
          Stream.of(start, block, sync).<InputStream>map(ByteArrayInputStream::new).toList();
      return decompress(new SequenceInputStream(Collections.enumeration(parts)), codec, number);
    };
  }

  @SuppressWarnings("IllegalCatch") // Other people's code on damaged bytes.
  private static byte[] decompress(InputStream file, String codec, long number)
      throws ContainerException {
    try (var reader = new DataFileStream<>(file, new GenericDatumReader<>())) {
      ByteBuffer content = reader.nextBlock();
      byte[] bytes = new byte[content.remaining()];
      content.get(bytes);
      return bytes;
    } catch (LinkageError e) { // a library of Java's or of the system's that is not there
      throw new ContainerException(
              "it is compressed with the codec %s, which does not work on this machine", codec)
          .because(e);
    } catch (IOException | RuntimeException e) {
      throw damaged(number, e);
    }
  }

  private static ContainerException damaged(long number, @Nullable Throwable cause) {
    var damaged = new ContainerException("block %,d is damaged: it cannot be decompressed", number);
    return cause == null ? damaged : damaged.because(cause);
  }
}
