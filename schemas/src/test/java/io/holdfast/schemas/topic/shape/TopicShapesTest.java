package io.holdfast.schemas.topic.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.topic.shape.TopicShapes.Shape;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicShapesTest {

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "2, 2, 1", "3, 3, 2", "9, 3, 2"})
  void kindWithoutWishes_hasWhatTheClusterCanHold(int brokers, int replicas, int inStep) {
    for (TopicKind kind : TopicKind.values()) {
      Shape shape = TopicShapes.of(4).of(kind, brokers);
      assertThat(shape.replicas()).isEqualTo(replicas);
      assertThat(shape.inStep()).isEqualTo(inStep);
    }
    assertThat(TopicShapes.of(0).of(TopicKind.REPORTS, brokers).retention())
        .contains(Duration.ofDays(365));
    assertThat(TopicShapes.of(0).of(TopicKind.RECORDS, brokers).retention()).isEmpty();
  }

  @Test
  void wish_isOfItsKindAlone() {
    TopicShapes shapes =
        new TopicShapes(
            1,
            Map.of(TopicKind.RECORDS, 2),
            Map.of(TopicKind.MODELS, 3),
            Map.of(TopicKind.RECORDS, Duration.ofDays(2)));
    assertThat(shapes.of(TopicKind.RECORDS, 3))
        .isEqualTo(new Shape(2, 1, Optional.of(Duration.ofDays(2))));
    assertThat(shapes.of(TopicKind.MODELS, 3)).isEqualTo(new Shape(3, 3, Optional.empty()));
  }
}
