package io.holdfast.service.correlate;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Whatever the join's topic holds, it is read, and written again as it was, or refused. */
class JoinInputFuzzTest {
  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void message(byte[] bytes) {
    JoinInput read;
    try {
      read = JoinInputCodec.decode(bytes);
    } catch (IllegalArgumentException refused) {
      assertThat(refused).message().isNotBlank();
      return;
    }
    byte[] again = JoinInputCodec.encode(read);
    assertThat(JoinInputCodec.encode(JoinInputCodec.decode(again))).isEqualTo(again);
  }
}
