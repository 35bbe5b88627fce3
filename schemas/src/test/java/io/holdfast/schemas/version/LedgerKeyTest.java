package io.holdfast.schemas.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerKeyTest {

  @Test
  void parse_spelledKeys_isTheInverse() {
    for (LedgerKey key :
        List.of(
            new LedgerKey.SegmentKey("bikes", Digest.of(new byte[] {1})),
            new LedgerKey.BinsKey("bikes", Digest.of(new byte[] {2})),
            new LedgerKey.ReferenceKey("bikes", Digest.of(new byte[] {3})),
            new LedgerKey.VersionKey("bikes.v2", 0),
            new LedgerKey.VersionKey("bikes", 123_456_789_012_345_678L),
            new LedgerKey.HistoryKey("bikes", 17),
            new LedgerKey.HeadKey("b-1_x"))) {
      assertThat(LedgerKey.parse(key.toString())).isEqualTo(key);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bikes",
        "/head",
        "bikes/head/",
        "a/b/head",
        "bikes/version/",
        "bikes/version/-1",
        "bikes/heads/0",
        "bikes/heads/",
        "bikes/version/01",
        "bikes/version/9999999999999999999",
        "bikes/segment/abc",
        "bikes/bins/abc",
        "bikes/reference/abc",
        "bi kes/head",
        "bikes/HEAD"
      })
  void parse_anythingElse_isRefused(String text) {
    assertThatThrownBy(() -> LedgerKey.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "must be MODEL/segment/SHA-256, MODEL/bins/SHA-256, MODEL/reference/SHA-256,"
                + " MODEL/version/N, MODEL/head or");
  }
}
