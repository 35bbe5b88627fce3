package io.holdfast.trainer.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommitMetadataTest {

  @Test
  void text_readAgain_isTheSame() {
    var metadata = new CommitMetadata(12, 9, Long.MAX_VALUE / 10, 1_764_028_800_000L);

    assertThat(metadata)
        .hasToString("window=12 version=9 since=922337203685477580 time=1764028800000");
    assertThat(CommitMetadata.parse(metadata.toString())).contains(metadata);
  }

  @Test
  void text_ofAnEarlierProgram_isRead() {
    assertThat(CommitMetadata.parse("window=12 version=9 memory=88"))
        .contains(new CommitMetadata(12, 9, 88, Long.MIN_VALUE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "window=1",
        "window=1 version=2 memory=",
        "window=-1 version=2 memory=3",
        "window=1 version=2 memory=99999999999999999999",
        "window=1 version=2 memory=3 "
      })
  void text_ofSomebodyElse_isNone(String text) {
    assertThat(CommitMetadata.parse(text)).isEmpty();
  }
}
