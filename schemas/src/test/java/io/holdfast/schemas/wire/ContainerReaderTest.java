package io.holdfast.schemas.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every codec by every way in which a container file may be damaged, or odd and whole. */
class ContainerReaderTest {
  private static final Schema SCHEMA =
      SchemaBuilder.record("R").fields().requiredDouble("x").requiredString("s").endRecord();
  private static final int BLOCKS = 3;
  private static final int ROWS = 40; // a block
  private static final byte[] SYNC = "0123456789abcdef".getBytes(ISO_8859_1);

  @TempDir Path folder;

  static Stream<String> codecs() {
    return BlockCodec.NAMES.stream();
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void whole_isRead(String codec) throws IOException {
    assertThat(read(whole(codec))).isEqualTo((long) BLOCKS * ROWS);
    assertThat(count(whole(codec))).isEqualTo((long) BLOCKS * ROWS);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void blockWithoutRecords_isNotTheEnd(String codec) throws IOException {
    for (int before = 0; before <= BLOCKS; before++) {
      byte[] bytes = whole(codec);
      int at = endOfBlock(bytes, before);
      byte[] odd = joined(Arrays.copyOf(bytes, at), new byte[] {0, 0}, SYNC, from(bytes, at));
      assertThat(read(odd)).isEqualTo((long) BLOCKS * ROWS);
      assertThat(count(odd)).isEqualTo((long) BLOCKS * ROWS);
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void cutAnywhere_isRefused_butBetweenBlocks(String codec) throws IOException {
    byte[] bytes = whole(codec);
    for (int length = 0; length < bytes.length; length += 5) {
      byte[] cut = Arrays.copyOf(bytes, length);
      boolean between = false;
      for (int block = 0; block < BLOCKS; block++) {
        between |= endOfBlock(bytes, block) == length;
      }
      if (!between) {
        assertThat(refusal(cut)).containsAnyOf("the rest was cut off", "does not begin as one");
        assertThat(countRefusal(cut)).isEqualTo(refusal(cut));
      }
    }
    assertThat(refusal(Arrays.copyOf(bytes, endOfBlock(bytes, 2) - 20)))
        .isEqualTo("it ends within block 2, after 40 records: the rest was cut off");
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void blockThatDoesNotEndWithTheSyncMarker_isRefused(String codec) throws IOException {
    byte[] bytes = whole(codec);
    bytes[endOfBlock(bytes, 2) - 1] ^= 1;
    String sentence = "block 2 is damaged: it does not end with the file's sync marker";
    assertThat(refusal(bytes)).isEqualTo(sentence);
    assertThat(countRefusal(bytes)).isEqualTo(sentence);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void numberOfRecordsThatIsNotTheBlocks_isRefused(String codec) throws IOException {
    byte[] bytes = whole(codec);
    int at = endOfBlock(bytes, 1);
    bytes[at] = (byte) (bytes[at] + 2); // one more
    assertThat(refusal(bytes)).startsWith("record 81, in block 2, is not what its schema says: ");
    bytes[at] = (byte) (bytes[at] - 4); // one less
    assertThat(refusal(bytes)).matches("block 2 is damaged: \\d+ bytes follow its last record");
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void bytesFlipped_areASentence_orRead(String codec) throws IOException {
    byte[] bytes = whole(codec);
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 300; i++) {
      byte[] flipped = bytes.clone();
      for (int k = random.nextInt(1, 4); k > 0; k--) {
        flipped[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        read(flipped);
      } catch (ContainerException e) {
        assertThat(e.getMessage()).isNotBlank().doesNotContain(": null", "Exception");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lzo", "brotli", ""})
  void otherCodec_isNamedWithThoseThatAreRead(String codec) throws IOException {
    byte[] bytes = whole("null");
    String text = new String(bytes, ISO_8859_1);
    String header = "avro.codec\u0008null";
    assertThat(text).contains(header);
    String other = "avro.codec" + (char) (2 * codec.length()) + codec;
    assertThat(refusal(text.replace(header, other).getBytes(ISO_8859_1)))
        .isEqualTo(
            String.format(
                    Locale.ROOT,
                    "it is compressed with the codec %s, and those that are read are null, deflate,"
                        + " bzip2,",
                    codec)
                + " snappy, xz, zstandard");
  }

  @Test
  void fileThatIsNone_saysSo() throws IOException {
    assertThat(refusal("a,b\n1,2\n".getBytes(ISO_8859_1))).isEqualTo("it does not begin as one");
    assertThat(refusal(new byte[0])).isEqualTo("it does not begin as one");
  }

  private static byte[] whole(String codec) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var writer = new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(SCHEMA))) {
      writer.setCodec(CodecFactory.fromString(codec));
      writer.create(SCHEMA, bytes, SYNC);
      for (int row = 0; row < BLOCKS * ROWS; row++) {
        GenericRecord record = new GenericData.Record(SCHEMA);
        record.put("x", row / 7.0);
        record.put("s", "row " + row % 3);
        writer.append(record);
        if (row % ROWS == ROWS - 1) {
          writer.sync();
        }
      }
    }
    return bytes.toByteArray();
  }

  /** Where that block ends; 0 is the header. */
  private static int endOfBlock(byte[] bytes, int block) {
    String text = new String(bytes, ISO_8859_1);
    int at = -1;
    for (int i = 0; i <= block; i++) {
      at = text.indexOf(new String(SYNC, ISO_8859_1), at + 1);
    }
    return at + SYNC.length;
  }

  private static byte[] from(byte[] bytes, int at) {
    return Arrays.copyOfRange(bytes, at, bytes.length);
  }

  private static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    Stream.of(parts).forEach(all::writeBytes);
    return all.toByteArray();
  }

  private long read(byte[] bytes) throws IOException {
    try (ContainerReader reader = open(bytes)) {
      long rows = 0;
      while (reader.next() != null) {
        rows++;
      }
      assertThat(reader.records()).isEqualTo(rows);
      return rows;
    }
  }

  private long count(byte[] bytes) throws IOException {
    try (ContainerReader reader = open(bytes)) {
      return reader.count();
    }
  }

  private ContainerReader open(byte[] bytes) throws IOException {
    return ContainerReader.open(Files.write(folder.resolve("rows.avro"), bytes));
  }

  private String refusal(byte[] bytes) {
    return message(() -> read(bytes));
  }

  private String countRefusal(byte[] bytes) {
    return message(() -> count(bytes));
  }

  private static String message(ThrowingCallable refused) {
    var e = catchThrowableOfType(ContainerException.class, refused);
    assertThat(e).isNotNull();
    return String.valueOf(e.getMessage());
  }
}
