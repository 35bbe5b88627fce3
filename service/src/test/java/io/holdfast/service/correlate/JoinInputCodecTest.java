package io.holdfast.service.correlate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class JoinInputCodecTest {
  private static final JoinInput.Message MESSAGE =
      new JoinInput.Message(
          2,
          5,
          7,
          8,
          new byte[] {9},
          new byte[] {1, 2},
          new RecordHeaders().add("trace", new byte[] {3}).add("none", null));
  private static final JoinInput.Message WITHOUT_KEY =
      new JoinInput.Message(0, 0, 0, 0, null, new byte[0], new RecordHeaders());

  static final List<JoinInput> ALL =
      List.of(
          new JoinInput.Scored(MESSAGE, 3, new byte[] {6}, new double[] {0.5, -1}),
          new JoinInput.Scored(WITHOUT_KEY, 0, new byte[32], new double[0]),
          new JoinInput.Scored(MESSAGE, 3, new byte[] {6}, new double[] {0.5}, new byte[] {2, 4}),
          new JoinInput.Unscored(1, 2, 3),
          new JoinInput.Labelled(MESSAGE),
          new JoinInput.Barrier(4, 5, true));

  @ParameterizedTest
  @FieldSource("ALL")
  void input_comesBackAsItWas(JoinInput input) {
    assertThat(JoinInputCodec.decode(JoinInputCodec.encode(input)))
        .usingRecursiveComparison()
        .isEqualTo(input);
  }

  @Test
  void format1_staysReadable() {
    // Topics hold these bytes: a failure here means a new format beside this one.
    assertThat(HexFormat.of().formatHex(JoinInputCodec.encode(ALL.getFirst())))
        .isEqualTo(
            "0101"
                + "00000002000000000000000500000000000000070000000000000008"
                + "0000000109"
                + "000000020102"
                + "00000002"
                + "00000005747261636500000001"
                + "03"
                + "000000046e6f6e65ffffffff"
                + "0000000000000003"
                + "0000000106"
                + "00000002"
                + "3fe0000000000000"
                + "bff0000000000000");
    assertThat(HexFormat.of().formatHex(JoinInputCodec.encode(ALL.getLast())))
        .isEqualTo("0104" + "0000000000000004" + "0000000000000005" + "01");
  }

  @Test
  void format2_staysReadable() {
    assertThat(HexFormat.of().formatHex(JoinInputCodec.encode(ALL.get(2))))
        .startsWith("0201")
        .endsWith("00000001" + "3fe0000000000000" + "00000002" + "0204");
  }

  @ParameterizedTest
  @FieldSource("ALL")
  void cutOff_isRefusedInASentence(JoinInput input) {
    byte[] bytes = JoinInputCodec.encode(input);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> JoinInputCodec.decode(cut))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("the message ");
    }
  }

  @Test
  void anotherFormat_isRefused() {
    assertThatThrownBy(() -> JoinInputCodec.decode(new byte[] {2, 2}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the message has format 2, and format 1 is read");
  }
}
