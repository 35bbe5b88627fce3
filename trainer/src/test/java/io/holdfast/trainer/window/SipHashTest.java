package io.holdfast.trainer.window;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SipHashTest {
  private static final long KEY0 = 0x0706050403020100L;
  private static final long KEY1 = 0x0f0e0d0c0b0a0908L;

  /** The vector of the paper's reference code for the bytes 0 to 15; the other is OpenSSL's. */
  @Test
  void hash_isThatOfOtherPrograms() {
    assertThat(RowPriority.sipHash(KEY0, KEY1, 0x0706050403020100L, 0x0f0e0d0c0b0a0908L))
        .isEqualTo(0x3f2acc7f57c29bdbL);
    assertThat(RowPriority.sipHash(KEY0, KEY1, 3, 123_456_789)).isEqualTo(0x2ca4b1161ee237abL);
  }
}
