package io.holdfast.schemas.ledger;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import io.holdfast.boosting.SampleModels;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.RandomModels;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** A model file that is not as it was written is refused in a sentence, and in little memory. */
class DamagedModelFileTest {
  private static final Model MODEL = SampleModels.of(new Logistic(), 3, 2, 5);
  private static final long MOST_ALLOCATED = 32 << 20;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @SuppressWarnings("NullAway.Init")
  private static Path file;

  @SuppressWarnings("NullAway.Init")
  private static byte[] whole;

  private static int headerBytes; // up to the first block

  @BeforeContainer
  static void save() throws IOException {
    file = Files.createTempFile("damaged", ".model");
    ModelFile.save(file, "a", MODEL, 2.5, 7, Instant.EPOCH);
    whole = Files.readAllBytes(file);
    byte[] sync = Arrays.copyOfRange(whole, whole.length - 16, whole.length);
    headerBytes = text(whole).indexOf(text(sync)) + 16;
  }

  @AfterContainer
  static void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  @net.jqwik.api.Example
  void cutAtAnyLength_isRefused() {
    for (int length = 0; length < whole.length; length++) {
      assertThat(refusal(Arrays.copyOf(whole, length)))
          .as("cut to %s bytes", length)
          .contains(file.toString())
          .containsAnyOf("cut off", "does not begin as one", "is damaged", "header")
          .doesNotContain("null", "Exception");
    }
  }

  @net.jqwik.api.Example
  void headerCutOff_saysSo() {
    assertThat(refusal(Arrays.copyOf(whole, 100)))
        .isEqualTo(
            file + " is no readable model file: it ends within its header: the rest was cut off");
    assertThat(refusal(Arrays.copyOf(whole, whole.length - 30)))
        .isEqualTo(
            file
                + " is no readable model file: it ends within block 1, after 0 records: the rest"
                + " was cut off");
  }

  /** What a count or a size may be written as: far too many, and none that a file could have. */
  private static final List<Long> CLAIMS =
      List.of(
          (long) Integer.MAX_VALUE,
          Integer.MAX_VALUE - 8L,
          1L << 31,
          1L << 40,
          Long.MAX_VALUE,
          -1L,
          Long.MIN_VALUE,
          1_000_000L);

  @net.jqwik.api.Example
  void countsAndSizesThatClaimMuch_areRefused_inLittleMemory() {
    for (long claim : CLAIMS) {
      byte[] number = number(claim);
      byte[] header = Arrays.copyOf(whole, headerBytes);
      byte[] rest = Arrays.copyOfRange(whole, headerBytes, whole.length);
      refusedInLittleMemory(joined(new byte[] {'O', 'b', 'j', 1}, number, rest)); // entries
      refusedInLittleMemory(joined(new byte[] {'O', 'b', 'j', 1, 2}, number, rest)); // a key
      refusedInLittleMemory(joined(header, number, rest)); // records in a block
      refusedInLittleMemory(joined(header, new byte[] {8}, number, rest)); // bytes of a block
      refusedInLittleMemory(joined(header, number, number, rest));
    }
  }

  @net.jqwik.api.Example
  void blockThatGrowsWithoutEnd_isRefused_inLittleMemory() {
    var deflater = new Deflater(9, true);
    deflater.setInput(new byte[200 << 20]);
    deflater.finish();
    byte[] bomb = new byte[1 << 20];
    int size = deflater.deflate(bomb);
    assertThat(deflater.finished()).isTrue();
    deflater.end();
    byte[] header = Arrays.copyOf(whole, headerBytes);
    byte[] sync = Arrays.copyOfRange(header, headerBytes - 16, headerBytes);
    byte[] bytes = joined(header, number(1), number(size), Arrays.copyOf(bomb, size), sync);
    assertThat(refusedInLittleMemory(bytes)).contains("is larger than 8,388,608 bytes");
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void bytesFlippedCutOrAdded_areRefusedOrTheSameModel(@ForAll long seed) {
    byte[] bytes = damaged(whole, new SplittableRandom(seed));
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      assertThat(read(bytes)).isEqualTo(MODEL);
    } catch (ModelFileException e) {
      assertThat(e).hasMessageContaining(file.toString());
    }
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_ALLOCATED);
  }

  /** The file itself is whole, and its digest true, so that what it says must give it away. */
  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void recordsDamaged_inAWholeFile_areRefusedOrScore(@ForAll long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<LedgerRecord> records = new ArrayList<>(content().records());
    int victim = random.nextInt(records.size());
    LedgerRecord record = records.get(victim);
    byte[] value = damaged(value(record), random);
    LedgerKey key = record.key();
    if (key instanceof LedgerKey.SegmentKey && value.length > 10) {
      key = new LedgerKey.SegmentKey("a", Digest.of(Arrays.copyOfRange(value, 10, value.length)));
    }
    records.set(victim, new LedgerRecord(key, value));
    if (random.nextInt(10) == 0) {
      Collections.shuffle(records, new java.util.Random(seed));
    }
    ModelFile.write(OutputFile.of(file), records);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      Model model = ModelFile.read(file).model();
      double[] scores = new double[model.base().outputs()];
      Scorer.of(model).score(new double[SampleRows.FEATURES.size()], scores);
    } catch (ModelFileException e) {
      assertThat(e).hasMessageContaining(file.toString());
    }
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_ALLOCATED);
  }

  @Property(tries = 4)
  void deepTree_isReadAgain(@ForAll @IntRange(min = 2, max = 14_000) int leaves)
      throws IOException {
    Model model = RandomModels.untrained().plus(new RandomModels(leaves).segment(1, leaves));
    Model chain = RandomModels.untrained().plus(new RandomModels(leaves).chain(leaves));
    for (Model deep : List.of(model, chain)) {
      ModelFile.save(file, "a", deep, 1, 0, Instant.EPOCH);
      Model read = ModelFile.read(file).model();
      assertThat(read).isEqualTo(deep);
      double[] row = new RandomModels(1).row();
      double[] scores = new double[1];
      double[] again = new double[1];
      Scorer.of(deep).score(row, scores);
      Scorer.of(read).score(row, again);
      assertThat(again).isEqualTo(scores);
    }
  }

  @net.jqwik.api.Example
  void sameModelTwice_hasTheSameBytes() throws IOException {
    ModelFile.save(file, "a", MODEL, 2.5, 7, Instant.EPOCH);
    assertThat(file).hasBinaryContent(whole);
  }

  private static ModelFile.Content content() throws IOException {
    Files.write(file, whole);
    return ModelFile.readAll(file);
  }

  private static byte[] value(LedgerRecord record) {
    byte[] value = record.value();
    if (value == null) {
      throw new AssertionError("a tombstone: " + record.key());
    }
    return value;
  }

  private static byte[] damaged(byte[] from, SplittableRandom random) {
    byte[] bytes = from.clone();
    switch (random.nextInt(4)) {
      case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      case 1 -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(1, 100));
      default -> {}
    }
    for (int k = random.nextInt(5); k > 0 && bytes.length > 0; k--) {
      int at = random.nextInt(bytes.length);
      bytes[at] =
          (byte)
              (random.nextBoolean()
                  ? bytes[at] ^ 1 << random.nextInt(8)
                  : new int[] {0, 1, 0x7F, 0x80, 0xFF, random.nextInt()}[random.nextInt(6)]);
    }
    return bytes;
  }

  private static String refusedInLittleMemory(byte[] bytes) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    String message = refusal(bytes);
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_ALLOCATED);
    return message;
  }

  private static String refusal(byte[] bytes) {
    ModelFileException refused = catchThrowableOfType(ModelFileException.class, () -> read(bytes));
    assertThat(refused).isNotNull();
    return String.valueOf(refused.getMessage());
  }

  private static Model read(byte[] bytes) throws ModelFileException {
    try {
      Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ModelFile.read(file).model();
  }

  /** As Avro writes it: zigzag, seven bits a byte. */
  private static byte[] number(long value) {
    var bytes = new ByteArrayOutputStream();
    long left = value << 1 ^ value >> 63;
    while ((left & ~0x7FL) != 0) {
      bytes.write((int) ((left & 0x7F) | 0x80));
      left >>>= 7;
    }
    bytes.write((int) left);
    return bytes.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    Stream.of(parts).forEach(all::writeBytes);
    return all.toByteArray();
  }
}
