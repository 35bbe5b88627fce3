package io.holdfast.service.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class CommittedProgressTest {
  private static final Map<String, String> NOBODY = Map.of("bootstrap.servers", "127.0.0.1:1");

  /** A stream thread that closed the last task would wait for ever, and its group for it. */
  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
  void close_whileTheBrokerIsAsked_ends() {
    var progress = new CommittedProgress(NOBODY, "records", "scoring", "labels", "joining");
    for (int time = 0; time < 20; time++) {
      progress.open();
      long mark = progress.mark();
      progress.look(time * 1_000L);
      progress.close();
      assertThat(progress.recordsPassed(mark)).isFalse();
    }
  }
}
