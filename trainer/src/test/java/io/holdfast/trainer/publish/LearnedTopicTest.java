package io.holdfast.trainer.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.trainer.evaluate.PairedEvidence;
import io.holdfast.trainer.expect.Trials;
import java.util.Collections;
import java.util.List;
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
  void evidenceAndTrials_standBehindIt() {
    var evidence = PairedEvidence.none(4, 2);
    var topic = new LearnedTopic(Uuid.randomUuid(), 1, 9).at(10, evidence, Trials.NONE);

    assertThat(LearnedTopic.parse(topic.toString())).contains(topic);
    assertThat(LearnedTopic.parse(topic.toString()).orElseThrow().evidence()).isEqualTo(evidence);
    LearnedTopic without = topic.at(10, null, Trials.NONE);
    for (String other :
        List.of(" evidence=of-a-later-program", " trials=1", " trials=a,b;x;1", " later=1 2")) {
      assertThat(LearnedTopic.parse(without + other)).contains(without);
    }
    double small = 1.2345679E-37f; // no float is longer
    var trial = new Trials.Trial(small, small, small, small, List.of(small, Double.NaN));
    for (Trials trials :
        List.of(
            new Trials(List.of("rmse", "mae"), 0.75, List.of()),
            new Trials(List.of("rmse", "mae"), 0.75, Collections.nCopies(20, trial)))) {
      for (LearnedTopic with :
          List.of(topic.at(10, null, trials), topic.at(10, evidence, trials))) {
        assertThat(LearnedTopic.parse(with.toString())).contains(with);
        assertThat(with.toString()).hasSizeLessThan(3_000); // a broker takes 4,096 bytes
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "window=1 version=1 since=40", "topic=x after=1 window=2"})
  void text_ofAnotherWriter_isNone(String text) {
    assertThat(LearnedTopic.parse(text)).isEmpty();
  }
}
