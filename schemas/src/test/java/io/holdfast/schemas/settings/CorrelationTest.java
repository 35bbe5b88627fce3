package io.holdfast.schemas.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.settings.ModelSettings.Labels;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CorrelationTest {
  static final Correlation BY_ORDER =
      new Correlation(
          new Correlation.Place.Field("order.id"), new Correlation.Place.Header("order"));

  @Test
  void labelsPlace_isTheRecords_unlessSaid() {
    assertThat(read(Map.of())).isEqualTo(Correlation.BY_KEY);
    assertThat(read(Map.of("labels.correlation.record", "header order")))
        .isEqualTo(
            new Correlation(
                new Correlation.Place.Header("order"), new Correlation.Place.Header("order")));
    assertThat(
            read(
                Map.of(
                    "labels.correlation.record", "field order.id",
                    "labels.correlation.label", "header order")))
        .isEqualTo(BY_ORDER);
  }

  @Test
  void placeOfNoKind_isRefusedWithWhatItMayBe() {
    assertThatThrownBy(() -> read(Map.of("labels.correlation.record", "id")))
        .isInstanceOf(SettingsException.class)
        .hasMessage("labels.correlation.record must be key, field PATH or header NAME: 'id'");
  }

  private static Correlation read(Map<String, String> values) {
    Map<String, String> all = new HashMap<>(values);
    all.putAll(Map.of("objective", "squared", "label", "count", "labels.in", "topic"));
    return ((Labels.InTopic) ModelSettings.of("bikes", all, key -> key).labels()).correlation();
  }
}
