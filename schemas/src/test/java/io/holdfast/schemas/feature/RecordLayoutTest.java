package io.holdfast.schemas.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordLayoutTest {
  private static final Schema BIKE =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Bike", "fields": [
                {"name": "count", "type": "int"},
                {"name": "season", "type": "string"},
                {"name": "temp", "type": ["null", "double"]},
                {"name": "hour", "type": "int"},
                {"name": "mixed", "type": ["string", "int", "null"]},
                {"name": "odd", "type": ["string", "double"]},
                {"name": "station", "type": ["null", {"type": "record", "name": "Station", "fields": [
                  {"name": "id", "type": "long"},
                  {"name": "next", "type": ["null", "Station"]},
                  {"name": "open", "type": "boolean"}
                ]}, {"type": "record", "name": "Depot", "fields": [{"name": "id", "type": "int"}]}]},
                {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
                {"name": "photo", "type": "bytes"},
                {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9}},
                {"name": "tags", "type": {"type": "array", "items": "string"}}
              ]}
              """);

  @Test
  void features_byDefault_areAllUsableFieldsWithoutARole() {
    assertThat(features(Map.of("environment", "season", "time", "at")))
        .containsExactly(
            new Feature.Numeric("temp"),
            new Feature.Numeric("hour"),
            new Feature.Categorical("mixed", List.of()),
            new Feature.Categorical("odd", List.of()),
            new Feature.Numeric("station.id"),
            new Feature.Numeric("station.open"),
            new Feature.Numeric("price"));
  }

  @Test
  void features_includedExcludedCategorical_areAsNamed() {
    assertThat(
            features(
                Map.of(
                    "features.include",
                    "station,hour,season,at",
                    "features.exclude",
                    "station.open",
                    "features.categorical",
                    "hour,station.id")))
        .containsExactly(
            new Feature.Categorical("season", List.of()),
            new Feature.Categorical("hour", List.of()),
            new Feature.Categorical("station.id", List.of()),
            new Feature.Numeric("at"));
  }

  @Test
  void features_labelInItsOwnTopic_leavesTheFieldAFeature() {
    assertThat(features(Map.of("labels.in", "topic", "environment", "elsewhere")))
        .contains(new Feature.Numeric("count"), new Feature.Categorical("season", List.of()));
  }

  @Test
  void features_correlationId_isNone() {
    assertThat(
            features(Map.of("labels.in", "topic", "labels.correlation.record", "field station.id")))
        .doesNotContain(new Feature.Numeric("station.id"))
        .contains(new Feature.Numeric("hour"));
    assertThatThrownBy(
            () ->
                features(Map.of("labels.in", "topic", "labels.correlation.record", "field hours")))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "the record schema Bike has no field hours, which is to be the correlation field; did"
                + " you mean hour?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "label | cuont | the record schema Bike has no field cuont, which is to be the label field;"
            + " did you mean count?",
        "label | photo | the label field photo is bytes in the record schema Bike, not a number,"
            + " boolean, enum, string or time",
        "environment | seson | the record schema Bike has no field seson, which is to be the"
            + " environment field; did you mean season?",
        "time | att | the record schema Bike has no field att, which is to be the time field; did"
            + " you mean at?",
        "features.include | temp,hours | the record schema Bike has no field hours, which is to be"
            + " the included field; did you mean hour?",
        "features.include | photo | the field photo is bytes in the record schema Bike, which"
            + " cannot be a feature: that takes numbers, or strings, enums, booleans and whole"
            + " numbers",
        "features.categorical | at | the field at is long timestamp-millis in the record schema"
            + " Bike, which cannot be categorical: that takes a string, enum, boolean or number",
        "features.exclude | station,tempp | the record schema Bike has no field tempp, which is to"
            + " be the excluded field; did you mean temp?",
      })
  void features_mistake_isSaidInOneSentence(String key, String value, String message) {
    assertThatThrownBy(() -> features(Map.of(key, value)))
        .isInstanceOf(SettingsException.class)
        .hasMessage(message);
  }

  @Test
  void fieldsOfNoUse_areNamedOnce_unlessTheyAreExcluded() {
    assertThat(leftOut(Map.of()))
        .containsExactly(
            "left out, as a feature takes one number, boolean, date, time, enum or string a row:"
                + " photo (bytes), tags (array)");
    assertThat(leftOut(Map.of("features.exclude", "tags,photo"))).isEmpty();
    assertThat(leftOut(Map.of("features.include", "hour,price"))).isEmpty();
  }

  /** What service and doctor say of a stream. */
  @Test
  void fieldsOfNoUse_ofTheNewestSchema_areNamedWithWhatMendsIt_whereTheSettingsFit() {
    assertThat(SchemaFit.leftOut(settings(Map.of()), List.of(BIKE)).orElseThrow())
        .startsWith("fields of the newest schema " + BIKE.getFullName() + " of topic bikes.records")
        .contains("are left out", ": photo (bytes), tags (array); name them in features.exclude");
    ModelSettings excluded = settings(Map.of("features.exclude", "tags,photo"));
    assertThat(SchemaFit.leftOut(excluded, List.of(BIKE))).isEmpty();
    assertThat(SchemaFit.leftOut(settings(Map.of()), List.of())).isEmpty();
    assertThat(SchemaFit.leftOut(settings(Map.of("label", "none")), List.of(BIKE)))
        .as("said by another sentence")
        .isEmpty();
  }

  @Test
  void features_noneLeft_saysSo() {
    assertThatThrownBy(
            () -> features(Map.of("features.include", "hour", "features.exclude", "hour,temp")))
        .isInstanceOf(SettingsException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"int", "null"})
  void features_schemaThatDoubles_isRefused(String innermost) {
    String leaf = "\"" + innermost + "\"";
    StringBuilder json = new StringBuilder(leaf);
    for (int i = 0; i < 20; i++) {
      json.insert(
              0,
              "{\"type\":\"record\",\"name\":\"R%d\",\"fields\":[{\"name\":\"a\",\"type\":"
                  .replace("%d", "" + i))
          .append("},{\"name\":\"b\",\"type\":");
      json.append(i == 0 ? leaf : "\"R%d\"".replace("%d", "" + (i - 1))).append("}]}");
    }
    Schema doubling = new Schema.Parser().parse(json.toString());

    assertThatThrownBy(() -> RecordLayout.fields(doubling))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("more than 65,536 fields or columns");
  }

  @Test
  void features_moreThanAModelHas_areRefusedUnlessSomeAreLeftOut() {
    SchemaBuilder.FieldAssembler<Schema> fields = SchemaBuilder.record("Wide").fields();
    fields.requiredDouble("count");
    for (int i = 0; i < 5_000; i++) {
      fields.requiredDouble("x" + i);
    }
    Schema wide = fields.endRecord();
    Map<String, String> settings = new HashMap<>(Map.of("objective", "squared", "label", "count"));

    assertThatThrownBy(
            () -> RecordLayout.features(ModelSettings.of("m", settings, key -> key), wide))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(
            "5,000 fields or columns would be features, and a model has at most 4,096: include");
    settings.put("features.include", "x7,x4999");
    assertThat(RecordLayout.features(ModelSettings.of("m", settings, key -> key), wide))
        .containsExactly(new Feature.Numeric("x7"), new Feature.Numeric("x4999"));
  }

  private static List<Feature> features(Map<String, String> values) {
    return RecordLayout.features(settings(values), BIKE);
  }

  private static List<String> leftOut(Map<String, String> values) {
    return RecordLayout.leftOut(settings(values), BIKE);
  }

  private static ModelSettings settings(Map<String, String> values) {
    Map<String, String> all = new HashMap<>(Map.of("objective", "squared", "label", "count"));
    all.putAll(values);
    return ModelSettings.of("bikes", all, key -> key);
  }
}
