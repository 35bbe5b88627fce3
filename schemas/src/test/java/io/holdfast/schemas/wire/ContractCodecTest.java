package io.holdfast.schemas.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

class ContractCodecTest {
  private static final Example EXAMPLE =
      new Example(
          ByteBuffer.wrap(new byte[] {1, 2, 3}),
          2.5,
          "spring",
          List.of(1.0, Double.NaN),
          1.5,
          7L,
          new Sha256Digest(new byte[32]),
          List.of(0.25),
          3,
          99L,
          null);

  @Test
  void decode_whatWasEncoded_isEqual() throws MalformedRecordException {
    assertThat(Contracts.EXAMPLE.decode(Contracts.EXAMPLE.encode(EXAMPLE))).isEqualTo(EXAMPLE);
    Label label = new Label(1.0, null, null);
    assertThat(Contracts.LABEL.decode(Contracts.LABEL.encode(label))).isEqualTo(label);
  }

  @Test
  void encode_frame_isAvroSingleObjectEncoding() throws IOException {
    Label label = new Label(1.0, "e", 2.0);

    assertThat(Contracts.LABEL.encode(label)).isEqualTo(label.toByteBuffer().array());
    byte[] framed = Contracts.LABEL.encode(label);
    assertThat(Contracts.LABEL.encodeBody(label))
        .isEqualTo(Arrays.copyOfRange(framed, 10, framed.length));
  }

  @Test
  void decode_olderSchema_fillsInDefaults() throws IOException, MalformedRecordException {
    Schema old =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "Label", "namespace": "io.holdfast.schemas.avro",
                 "fields": [{"name": "label", "type": "double"}]}
                """);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(body, null);
    encoder.writeDouble(4.5);
    encoder.flush();
    byte[] framed = SingleObjectFraming.frame(Fingerprint.of(old), body.toByteArray());

    assertThat(new ContractCodec<>(Label.class, old).decode(framed))
        .isEqualTo(new Label(4.5, null, null));
    assertThatThrownBy(() -> Contracts.LABEL.decode(framed))
        .isInstanceOfSatisfying(
            MalformedRecordException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_SCHEMA));
  }

  @Test
  void decode_framedForARegistry_needsNone() throws MalformedRecordException {
    byte[] body = Contracts.EXAMPLE.encodeBody(EXAMPLE);
    byte[] numbered = new byte[5 + body.length];
    System.arraycopy(body, 0, numbered, 5, body.length);
    numbered[4] = 7;

    assertThat(Contracts.EXAMPLE.decode(numbered)).isEqualTo(EXAMPLE);
    assertThat(Contracts.EXAMPLE.decode(body)).as("named in a header").isEqualTo(EXAMPLE);
    for (byte[] broken :
        List.of(
            new byte[0],
            new byte[] {0, 0, 0},
            Arrays.copyOf(numbered, numbered.length - 2),
            Arrays.copyOf(body, body.length + 1))) {
      assertThatThrownBy(() -> Contracts.EXAMPLE.decode(broken))
          .isInstanceOfSatisfying(
              MalformedRecordException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_FRAMING));
    }
  }

  @Test
  void decode_framedForARegistry_tellsTheSchemasApart() throws MalformedRecordException {
    Score score =
        new Score(
            "m",
            1L,
            new Sha256Digest(new byte[32]),
            1.0,
            List.of(),
            List.of(1.0),
            "t",
            0,
            5L,
            null,
            null,
            null);
    byte[] body = Contracts.SCORE.encodeBody(score);
    byte[] before = Arrays.copyOf(body, body.length - 3); // without id, label and uncertainty

    assertThat(Contracts.SCORE.decode(body)).isEqualTo(score);
    assertThat(Contracts.SCORE.knows("id", body)).isTrue();
    assertThat(Contracts.SCORE.decode(before)).isEqualTo(score);
    assertThat(Contracts.SCORE.knows("id", before)).isFalse();
  }

  @Test
  void decode_damagedBytes_throwsMalformedOnly() {
    SplittableRandom random = new SplittableRandom(3);
    byte[] whole = Contracts.EXAMPLE.encode(EXAMPLE);
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = Arrays.copyOf(whole, random.nextInt(whole.length + 3));
      for (int k = random.nextInt(4); k > 0 && damaged.length > 0; k--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(Contracts.EXAMPLE.decode(damaged)).isNotNull();
      } catch (MalformedRecordException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
    assertThatThrownBy(() -> Contracts.EXAMPLE.decode(null))
        .isInstanceOfSatisfying(
            MalformedRecordException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NO_VALUE));
  }
}
