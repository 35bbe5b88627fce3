package io.holdfast.schemas.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a model is updated by, unless its settings say otherwise. */
class UpdateSettingsTest {

  private static ModelSettings settings(Map<String, String> more) {
    Map<String, String> values =
        new HashMap<>(Map.of("objective", "squared", "label", "y", "environment", "e"));
    values.putAll(more);
    return ModelSettings.of("m", values, key -> key);
  }

  @Test
  void policy_unlessSaidOtherwise_isAuto_whoseWindowIsARow() {
    ModelSettings usual = settings(Map.of());
    assertThat(usual.update().policy()).isEqualTo("auto");
    assertThat(usual.window().rows()).isEqualTo(1);
    assertThat(usual.window().memoryRows()).isEqualTo(10_000);
    assertThat(usual.window().maxRows()).isEqualTo(100);
    assertThat(settings(Map.of("update.policy", "auto"))).isEqualTo(usual);
  }

  @Test
  void policy_withALadder_isOneThatHoldsIt() {
    ModelSettings laddered = settings(Map.of("ladder.gammas", "1,4"));
    assertThat(laddered.update().policy()).isEqualTo("replace");
    assertThat(laddered.window().rows()).isEqualTo(1_000);
  }
}
