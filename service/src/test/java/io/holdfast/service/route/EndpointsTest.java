package io.holdfast.service.route;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;

final class EndpointsTest {
  @Test
  void samePartition_isTheSources() {
    assertThat(Endpoints.same("m.scores", new Outgoing(2, null), 3))
        .isEqualTo(Optional.of(Set.of(2)));
  }

  @Test
  void samePartition_ofATopicWithFewer_stopsTheTaskAndSaysWhy() {
    assertThatThrownBy(() -> Endpoints.same("m.scores", new Outgoing(3, null), 3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("topic m.scores has 3 partitions and lacks partition 3");
  }

  @Test
  void anyPartition_isWithinTheTopic() {
    assertThat(Endpoints.any(new Outgoing(5, null), 3)).isEqualTo(Optional.of(Set.of(2)));
  }

  @Test
  void byKey_isThatOfKafkasProducer_whateverThePartition() {
    byte[] key = "k17".getBytes(UTF_8);

    assertThat(Endpoints.byKey(Outgoing.byKey(key), 7))
        .isEqualTo(Optional.of(Set.of(Utils.toPositive(Utils.murmur2(key)) % 7)));
  }
}
