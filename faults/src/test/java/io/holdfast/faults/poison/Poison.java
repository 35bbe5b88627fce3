package io.holdfast.faults.poison;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.faults.Feed;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.RecordEncoder;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Makes records and labels that nobody should send, by a seed. Owned by one thread. */
final class Poison {
  /** Whose own record may be in it, and whose texts ask for a class. */
  static final Schema DEEP =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Deep", "fields": [
                {"name": "x", "type": "double"},
                {"name": "kind",
                 "type": {"type": "string", "java-class": "java.lang.ProcessBuilder"}},
                {"name": "region", "type": {"type": "string", "avro.java.string": "java.io.File"}},
                {"name": "next", "type": ["null", "Deep"]}]}
              """);

  private static final ContractCodec<Label> LABELS = new ContractCodec<>(Label.class);
  private static final RecordEncoder RECORDS = new RecordEncoder(Feed.SCHEMA);
  private static final RecordEncoder NESTED = new RecordEncoder(DEEP);
  private static final int NESTING = 10_000;
  private static final int LONG_TEXT = 10 << 20;
  private static final long SKEW = Duration.ofMinutes(59).toMillis(); // the broker takes 60

  private final SplittableRandom random;
  private final long now;

  /** What is wrong with a record. */
  enum Kind {
    CUT_SHORT,
    WRONG_FINGERPRINT,
    WRONG_SCHEMA_ID,
    ID_IN_HEADER,
    NESTED_DEEP,
    LONG_TEXT,
    LENGTH_OF_2_TO_THE_31,
    NEGATIVE_LENGTH,
    NOT_A_NUMBER,
    INFINITE,
    NO_KEY,
    TOMBSTONE,
    EMPTY,
    NOISE,
    FLOOD_OF_HEADERS,
    BIT_FLIPPED
  }

  Poison(long seed, long now) {
    random = new SplittableRandom(seed);
    this.now = now;
  }

  ProducerRecord<byte[], byte @Nullable []> record(String topic, Kind kind) {
    byte @Nullable [] key = kind == Kind.NO_KEY ? null : ("p" + random.nextInt(50)).getBytes(UTF_8);
    var record =
        new ProducerRecord<byte[], byte @Nullable []>(topic, null, time(), key, value(kind));
    if (kind == Kind.FLOOD_OF_HEADERS) {
      for (int i = 0; i < 3_000; i++) {
        record.headers().add("h" + i % 7, new byte[random.nextInt(40)]);
      }
    } else if (kind == Kind.ID_IN_HEADER) {
      record.headers().add("__value_schema_id", noise(random.nextInt(20)));
    }
    return record;
  }

  private byte @Nullable [] value(Kind kind) {
    byte[] good = reading(random.nextInt(1000) / 10.0, "k1");
    int place = random.nextInt(good.length);
    return switch (kind) {
      case CUT_SHORT -> Arrays.copyOf(good, place);
      case WRONG_FINGERPRINT -> with(good, 2 + random.nextInt(8), good[5] ^ 0x55);
      case WRONG_SCHEMA_ID -> with(Arrays.copyOfRange(good, 5, good.length), 0, 0);
      case NESTED_DEEP -> nested();
      case LONG_TEXT -> reading(1, "a".repeat(LONG_TEXT));
      case LENGTH_OF_2_TO_THE_31 -> claiming(good, 0x80, 0x80, 0x80, 0x80, 0x10);
      case NEGATIVE_LENGTH -> claiming(good, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F);
      case NOT_A_NUMBER -> reading(Double.NaN, "k2");
      case INFINITE -> reading(Double.NEGATIVE_INFINITY, "k2");
      case TOMBSTONE -> null;
      case EMPTY -> new byte[0];
      case NOISE -> noise(random.nextInt(200));
      case BIT_FLIPPED -> with(good, place, good[place] ^ 1 << random.nextInt(8));
      case NO_KEY, FLOOD_OF_HEADERS, ID_IN_HEADER -> good;
    };
  }

  private static byte[] reading(double x, String kind) {
    return RECORDS.encode(
        new GenericRecordBuilder(Feed.SCHEMA)
            .set("x", x)
            .set("kind", kind)
            .set("region", "north")
            .build());
  }

  /** The first text, which follows 10 bytes of framing and a number, is said to be so long. */
  private static byte[] claiming(byte[] good, int... length) {
    byte[] value = Arrays.copyOf(good, 18 + length.length);
    for (int i = 0; i < length.length; i++) {
      value[18 + i] = (byte) length[i];
    }
    return value;
  }

  private static byte[] nested() {
    byte[] innermost =
        NESTED.encode(
            new GenericRecordBuilder(DEEP)
                .set("x", 5.0)
                .set("kind", "k3")
                .set("region", "south")
                .set("next", null)
                .build());
    var value = new ByteArrayOutputStream();
    value.write(innermost, 0, 10);
    byte[] level = Arrays.copyOfRange(innermost, 10, innermost.length);
    level[level.length - 1] = 2; // another follows
    for (int i = 0; i < NESTING; i++) {
      value.writeBytes(level);
    }
    value.write(innermost, 10, innermost.length - 10);
    return value.toByteArray();
  }

  private static byte[] with(byte[] bytes, int place, int value) {
    byte[] other = bytes.clone();
    other[place] = (byte) value;
    return other;
  }

  private byte[] noise(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** As of clocks that are an hour off, either way, and of the beginning of time. */
  private long time() {
    return switch (random.nextInt(6)) {
      case 0 -> now - SKEW;
      case 1 -> now + SKEW;
      case 2 -> random.nextInt(10) == 0 ? 0 : now;
      default -> now;
    };
  }

  /**
   * A label for one of so many rows, or for none: early, late, again, another, of no number, or no
   * label at all.
   */
  ProducerRecord<byte[], byte @Nullable []> label(String topic, long rows) {
    String id =
        switch (random.nextInt(5)) {
          case 0 -> "nobody" + random.nextInt(100);
          case 1 -> "p" + random.nextInt(50); // of a key that comes again
          case 2 -> "r" + (rows + random.nextInt(500)); // before its record
          default -> "r" + random.nextLong(Math.max(1, rows));
        };
    byte @Nullable [] value =
        switch (random.nextInt(8)) {
          case 0 -> null;
          case 1 -> noise(random.nextInt(60));
          case 2 -> LABELS.encode(new Label(Double.NaN, null, null));
          case 3 -> LABELS.encode(new Label(1e300, null, null));
          default -> LABELS.encode(new Label((double) random.nextInt(14), null, null));
        };
    byte @Nullable [] key = random.nextInt(20) == 0 ? null : id.getBytes(UTF_8);
    return new ProducerRecord<byte[], byte @Nullable []>(topic, null, time(), key, value);
  }
}
