package io.holdfast.schemas.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dates and times of records whose parts are features, whatever the type of the field. */
class DatePartsTest {
  private static final int HEADER = 10; // of a framed record
  private static final Instant AT = Instant.parse("2026-01-04T23:30:00Z"); // a Sunday
  private static final Instant BEFORE_1970 = Instant.parse("1969-12-31T01:00:00Z"); // a Wednesday

  @ParameterizedTest
  @CsvSource({
    "long, timestamp-millis, 1, 23 7 1, 1 3 12",
    "long, timestamp-micros, 1000, 23 7 1, 1 3 12",
    "long, local-timestamp-millis, 1, 23 7 1, 1 3 12",
    "int, date, 0, 7 1, 3 12",
  })
  void parts_areThoseOfTheField_andScoredAsTheyAreLearned(
      String type, String logical, int perMilli, String parts, String before) throws Exception {
    Schema schema = schema(type, logical);
    List<Feature> features = RecordLayout.features(settings("at"), schema);
    List<String> names =
        logical.equals("date")
            ? List.of("weekday(at)", "month(at)", "x")
            : List.of("hour(at)", "weekday(at)", "month(at)", "x");
    assertThat(features).extracting(Feature::name).isEqualTo(names);
    assertThat(decoded(schema, features, AT, perMilli)).isEqualTo(parts + " 5");
    assertThat(decoded(schema, features, BEFORE_1970, perMilli)).isEqualTo(before + " 5");
  }

  @Test
  void fieldThatIsNoDate_hasNoParts() {
    assertThatThrownBy(
            () -> RecordLayout.features(settings("x"), schema("long", "timestamp-millis")))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("the field x is int")
        .hasMessageContaining("no hour, weekday or month");
  }

  private static String decoded(Schema schema, List<Feature> features, Instant at, int perMilli)
      throws Exception {
    GenericRecord record = new GenericData.Record(schema);
    if (perMilli == 0) {
      record.put("at", (int) Math.floorDiv(at.toEpochMilli(), 86_400_000L));
    } else {
      record.put("at", at.toEpochMilli() * perMilli);
    }
    record.put("x", 5);
    double[] values = new double[features.size()];
    FeatureDecoder decoder = FeatureDecoder.compile(schema, features);
    decoder.decode(new RecordEncoder(schema).encode(record), HEADER, values);
    StringBuilder text = new StringBuilder();
    for (double value : values) {
      text.append(text.isEmpty() ? "" : " ").append((long) value);
    }
    return text.toString();
  }

  private static ModelSettings settings(String dates) {
    return ModelSettings.of(
        "m", Map.of("objective", "squared", "label", "y", "features.dates", dates), key -> key);
  }

  private static Schema schema(String type, String logical) {
    return SchemaFile.parse(
        String.format(
            Locale.ROOT,
            """
            {"type": "record", "name": "Sale", "fields": [
              {"name": "at", "type": {"type": "%s", "logicalType": "%s"}},
              {"name": "x", "type": "int"},
              {"name": "y", "type": ["null", "double"], "default": null}]}
            """,
            type,
            logical));
  }
}
