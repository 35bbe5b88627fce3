package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.stream.OutcomeCounter;
import io.holdfast.cli.stream.RecordSender;
import io.holdfast.cli.stream.TopicTail;
import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Malformed input on a live stream: a dead letter each, with its reason, and the stream goes on.
 */
class DeadLetterIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @Test
  void malformedRecordsAndLabels_becomeDeadLettersAndTheStreamGoesOn() throws Exception {
    try (Demo demo = Demo.start(null, 0)) {
      await().atMost(LIMIT).until(demo::ready);
      Map<String, String> kafka = demo.settings().kafka();
      ModelTopics topics = DemoModel.model().topics();
      try (var sender = new RecordSender(kafka);
          var outcomes = new OutcomeCounter(kafka, topics);
          var examples = TopicTail.fromBeginning(kafka, topics.examples())) {
        var feed = new DemoFeed(new DeliveryStream(1), sender, topics, Clock.systemUTC(), 0);
        sendRows(feed, 100);
        sendMalformed(sender, topics);
        sendRows(feed, 100);
        feed.finish();
        long[] joined = {0};
        await()
            .atMost(LIMIT)
            .until(
                () -> {
                  outcomes.poll(Duration.ofMillis(100));
                  examples.poll(Duration.ofMillis(100)).forEach(example -> joined[0]++);
                  return outcomes.scored() >= 200
                      && joined[0] >= feed.labelsSent()
                      && outcomes.deadLetters().values().stream().mapToLong(n -> n).sum() >= 6;
                });
        assertThat(outcomes.scored()).isEqualTo(200);
        assertThat(outcomes.repeated()).isZero();
        assertThat(joined[0]).isEqualTo(feed.labelsSent());
        assertThat(outcomes.deadLetters())
            .isEqualTo(
                Map.of(
                    "NO_VALUE", 1L, // a record without a value
                    "UNKNOWN_FRAMING", 2L, // a text for a record, another for a label
                    "UNKNOWN_SCHEMA", 1L, // a record of a schema that nobody registered
                    "TRUNCATED", 1L, // half a record
                    "TRAILING_BYTES", 1L)); // a record and a half
      }
    }
  }

  private static void sendRows(DemoFeed feed, int rows) {
    for (int row = 0; row < rows; row++) {
      int labels = feed.next();
      assertThat(labels).isNotNegative();
    }
  }

  private static void sendMalformed(RecordSender sender, ModelTopics topics) {
    byte[] text = "not Avro".getBytes(StandardCharsets.UTF_8);
    byte[] good = DemoFeed.encode(new DeliveryStream(2).row(0), 0);
    byte[] unknown = good.clone();
    unknown[5] ^= 1; // in the schema's fingerprint
    byte[] half = Arrays.copyOf(good, good.length - 20);
    byte[] more = Arrays.copyOf(good, good.length + 20);
    sender.send(topics.records(), "none", null, null);
    for (byte[] value : List.of(text, unknown, half, more)) {
      sender.send(topics.records(), "bad", value, null);
    }
    sender.send(topics.labels(), "order-3", text, null);
    sender.flush();
  }
}
