package io.holdfast.trainer.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.trainer.evaluate.PairedEvidence;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LearnedTopicTest {
  @Test
  void topic_isReadAsItIsWritten() {
    for (int i = 0; i < 100; i++) {
      var topic = new LearnedTopic(Uuid.randomUuid(), i, 2L * i);
      assertThat(LearnedTopic.parse(topic.toString())).contains(topic);
    }
  }

  @Test
  void evidence_standsBehindIt() {
    var evidence = PairedEvidence.none(4, 2);
    var topic = new LearnedTopic(Uuid.randomUuid(), 1, 9).at(10, evidence);

    assertThat(LearnedTopic.parse(topic.toString())).contains(topic);
    assertThat(LearnedTopic.parse(topic.toString()).orElseThrow().evidence()).isEqualTo(evidence);
    String other = topic.at(10, null) + " evidence=of-a-later-program";
    assertThat(LearnedTopic.parse(other)).contains(topic.at(10, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "window=1 version=1 since=40", "topic=x after=1 window=2"})
  void text_ofAnotherWriter_isNone(String text) {
    assertThat(LearnedTopic.parse(text)).isEmpty();
  }
}
