package io.holdfast.service.route;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.schemas.topic.DeadLetterMessage.Cause;
import io.holdfast.schemas.topic.DeadLetterMessage.Origin;
import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class DeadLetterLogTest {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger(DeadLetterLog.class);

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private Instant now = Instant.EPOCH;
  private final DeadLetterLog log = new DeadLetterLog("bikes", () -> now);

  @BeforeEach
  void attach() {
    lines.start();
    LOG.setLevel(Level.WARN);
    LOG.addAppender(lines);
  }

  @AfterEach
  void detach() {
    LOG.detachAppender(lines);
    LOG.setLevel(null);
  }

  @Test
  void first_isSaidAtOnce_thoseOfTheNextMinuteInOneLine() {
    add(7, "TRUNCATED", "it ends early");
    assertThat(said())
        .containsExactly(
            "Model bikes: dead letters since the last line: 1 record TRUNCATED; such as"
                + " bikes.records, partition 2, offset 7: it ends early");
    for (int i = 0; i < 1_000; i++) {
      add(8 + i, i % 4 == 0 ? "NO_VALUE" : "TRUNCATED", "fault " + i);
      log.look();
    }
    now = now.plus(Duration.ofSeconds(59));
    log.look();
    assertThat(said()).hasSize(1);

    now = now.plus(Duration.ofSeconds(1));
    log.look();
    assertThat(said().subList(1, 2))
        .containsExactly(
            "Model bikes: dead letters since the last line: 250 record NO_VALUE, 750 record"
                + " TRUNCATED; such as bikes.records, partition 2, offset 8: fault 0");
    now = now.plus(Duration.ofDays(1));
    log.look();
    assertThat(said()).as("nothing came").hasSize(2);
  }

  private void add(long offset, String reason, String sentence) {
    log.add(
        new Origin("bikes.records", 2, offset),
        new Cause(Subject.RECORD, reason, "none", sentence));
  }

  private List<String> said() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
