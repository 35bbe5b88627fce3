package io.holdfast.service.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class HeldCodecTest {
  static final List<Held> ALL =
      List.of(
          new Held.Waiting(9, 10, new byte[] {1, 2}),
          new Held.Closed(Held.State.LABELLED, -1, 10),
          new Held.Closed(Held.State.MISSED, Long.MAX_VALUE, 10),
          new Held.Closed(Held.State.UNSCORED, 0, 10),
          new Held.Label(9, 10, new byte[0], new byte[0]),
          new Held.Label(9, 10, new byte[] {3}, new byte[] {4, 5}));

  @ParameterizedTest
  @FieldSource("ALL")
  void held_comesBackAsItWas(Held held) {
    assertThat(HeldCodec.decode(HeldCodec.encode(held))).usingRecursiveComparison().isEqualTo(held);
  }

  @Test
  void format2_staysReadable() {
    // Changelogs hold these bytes: a failure here means a new format beside this one.
    assertThat(HexFormat.of().formatHex(HeldCodec.encode(ALL.getFirst())))
        .isEqualTo("0201" + "0000000000000009" + "000000000000000a" + "0102");
    assertThat(HexFormat.of().formatHex(HeldCodec.encode(ALL.get(2))))
        .isEqualTo("0202" + "7fffffffffffffff" + "000000000000000a" + "01");
    assertThat(HexFormat.of().formatHex(HeldCodec.encode(ALL.getLast())))
        .isEqualTo("0203" + "0000000000000009" + "000000000000000a" + "00000001" + "03" + "0405");
  }

  @Test
  void anotherFormat_isRefused() {
    byte[] later = HeldCodec.encode(ALL.getFirst());
    later[0] = 3;

    assertThatThrownBy(() -> HeldCodec.decode(later))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("format 3");
  }
}
