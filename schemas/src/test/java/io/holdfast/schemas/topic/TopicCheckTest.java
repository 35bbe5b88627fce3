package io.holdfast.schemas.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck.Expected;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicCheckTest {

  @Test
  void expected_labelsInRecord_haveNoLabelTopic() {
    assertThat(TopicCheck.expected(settings("localhost:1", "record")))
        .containsExactly(
            new Expected("holdfast.models", 1, true, true),
            new Expected("holdfast.schemas", 1, true, true),
            new Expected("holdfast.reports", 1, false, true),
            new Expected("bikes.records", 0, false, true),
            new Expected("bikes.scores", 0, false, true),
            new Expected("bikes.examples", 0, false, true, 1_048_588),
            new Expected("bikes.shadow-scores", 0, false, false),
            new Expected("bikes.dead-letters", 0, false, true, 1_048_588));
    assertThat(TopicCheck.expected(settings("localhost:1", "topic")))
        .contains(new Expected("bikes.labels", 0, false, true));
  }

  @Test
  void problems_noBroker_isOneSentence() {
    // Port 1 is for a service that nobody runs: the connection is refused at once.
    assertThat(TopicCheck.problems(settings("127.0.0.1:1", "record")))
        .containsExactly(
            "no Kafka broker answers at 127.0.0.1:1: start one, or set kafka.bootstrap.servers to"
                + " where one is");
    assertThat(TopicCheck.problems(settings("no such host", "record"))).hasSize(1);
    Settings settings = settings("127.0.0.1:1", "record");
    assertThat(TopicCheck.shadowProblems(settings, settings.model("bikes"))).hasSize(1);
  }

  @Test
  void readToEnd_noBroker_isOneSentence() {
    assertThatThrownBy(
            () ->
                new CompactedTopicReader(
                        Map.of("bootstrap.servers", "127.0.0.1:1"), "t", record -> {})
                    .readToEnd(java.time.Duration.ofSeconds(1)))
        .isInstanceOf(TopicException.class)
        .hasMessageContaining("the topic t ")
        .hasMessageEndingWith(
            "no Kafka broker answers at 127.0.0.1:1: start one, or set kafka.bootstrap.servers to"
                + " where one is");
  }

  private static Settings settings(String brokers, String labels) {
    return new Settings(
        Map.of("bootstrap.servers", brokers),
        new Settings.Service("127.0.0.1", 0, "a", "i", Path.of("state")),
        new Settings.Trainer("127.0.0.1", 0),
        new Settings.SharedTopics("holdfast.models", "holdfast.reports", "holdfast.schemas"),
        Map.of(
            "bikes",
            ModelSettings.of(
                "bikes",
                Map.of("objective", "squared", "label", "count", "labels.in", labels),
                key -> key)));
  }
}
