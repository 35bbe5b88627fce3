package io.holdfast.service.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class HeldCodecTest {
  private static final Message MESSAGE =
      new Message(
          5,
          7,
          new byte[] {1, 2},
          new RecordHeaders().add("trace", new byte[] {3}).add("none", null));

  static final List<Held> ALL =
      List.of(
          new Held.Waiting(9, MESSAGE, null),
          new Held.Waiting(9, MESSAGE, new byte[] {4}),
          new Held.EarlyLabel(-1, MESSAGE),
          new Held.Labelled(Long.MAX_VALUE),
          new Held.Missed(0),
          new Held.Unscored(9, new byte[0], MESSAGE, MESSAGE),
          new Held.EarlyScore(9, new byte[] {8}));

  @ParameterizedTest
  @FieldSource("ALL")
  void held_comesBackAsItWas(Held held) {
    assertThat(HeldCodec.decode(HeldCodec.encode(held))).usingRecursiveComparison().isEqualTo(held);
  }

  @Test
  void format1_staysReadable() {
    // Changelogs hold these bytes: a failure here means a new format beside this one.
    assertThat(HexFormat.of().formatHex(HeldCodec.encode(ALL.get(1))))
        .isEqualTo(
            "01010000000000000009"
                + "00000000000000050000000000000007"
                + "000000020102"
                + "00000002"
                + "00000005747261636500000001"
                + "03"
                + "000000046e6f6e65ffffffff"
                + "0000000104");
  }

  @Test
  void anotherFormat_isRefused() {
    byte[] later = HeldCodec.encode(new Held.Missed(0));
    later[0] = 2;

    assertThatThrownBy(() -> HeldCodec.decode(later))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("format 2");
  }
}
