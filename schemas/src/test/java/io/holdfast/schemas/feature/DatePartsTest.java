package io.holdfast.schemas.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
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

  /** An instant has the parts that it has in UTC, on machines of every zone, and all year. */
  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin, 2026-03-29T00:00:00Z",
    "Europe/Berlin, 2026-10-25T00:00:00Z",
    "America/New_York, 2026-03-08T06:00:00Z",
    "America/New_York, 2026-11-01T05:00:00Z",
    "Australia/Lord_Howe, 2026-04-04T14:00:00Z",
  })
  void parts_throughTheNightThatClocksChange_goOnByTheHour(String zone, Instant from)
      throws Exception {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try {
      Schema schema = schema("long", "timestamp-millis");
      List<Feature> features = RecordLayout.features(settings("at"), schema);
      for (int quarter = 0; quarter < 16; quarter++) {
        Instant at = from.plus(Duration.ofMinutes(15L * quarter));
        OffsetDateTime utc = at.atOffset(ZoneOffset.UTC);
        String parts =
            utc.getHour() + " " + utc.getDayOfWeek().getValue() + " " + utc.getMonthValue() + " 5";
        assertThat(decoded(schema, features, at, 1)).as("%s in %s", at, zone).isEqualTo(parts);
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }

  /** What a clock on a wall said: twice in autumn, and in spring what no clock said. */
  @ParameterizedTest
  @CsvSource({"2026-10-25T02:30:00Z, 2 7 10", "2026-03-29T02:30:00Z, 2 7 3"})
  void partsOfALocalTime_areThoseThatItSays(Instant written, String parts) throws Exception {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
    try {
      Schema schema = schema("long", "local-timestamp-millis");
      List<Feature> features = RecordLayout.features(settings("at"), schema);
      assertThat(decoded(schema, features, written, 1)).isEqualTo(parts + " 5");
    } finally {
      TimeZone.setDefault(before);
    }
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
