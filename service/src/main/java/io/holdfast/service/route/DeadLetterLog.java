package io.holdfast.service.route;

import io.holdfast.schemas.topic.DeadLetterMessage.Cause;
import io.holdfast.schemas.topic.DeadLetterMessage.Origin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says a model's dead letters in the log, at most a line a minute. Thread-safe. */
final class DeadLetterLog {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterLog.class);
  private static final Duration APART = Duration.ofMinutes(1);

  private final String model;
  private final InstantSource clock;
  private final SortedMap<String, Long> counts = new TreeMap<>(); // since the last line
  private String example = ""; // the first of these
  private @Nullable Instant said;

  DeadLetterLog(String model, InstantSource clock) {
    this.model = model;
    this.clock = clock;
  }

  synchronized void add(Origin origin, Cause cause) {
    if (counts.isEmpty()) {
      example =
          origin.topic()
              + ", partition "
              + origin.partition()
              + ", offset "
              + origin.offset()
              + ": "
              + cause.message();
    }
    counts.merge(cause.subject().label() + " " + cause.reason(), 1L, Long::sum);
    look();
  }

  synchronized void look() {
    Instant now = clock.instant();
    if (counts.isEmpty() || (said != null && now.isBefore(said.plus(APART)))) {
      return;
    }
    said = now;
    String all =
        counts.entrySet().stream()
            .map(one -> one.getValue() + " " + one.getKey())
            .collect(Collectors.joining(", "));
    counts.clear();
    LOG.atWarn()
        .addKeyValue("model", model)
        .log("Model {}: dead letters since the last line: {}; such as {}", model, all, example);
  }
}
