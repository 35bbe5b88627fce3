package io.holdfast.schemas.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.wire.BodyReader;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeatureDecoderTest {
  private static final Schema BIKE =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Bike", "fields": [
                {"name": "temp", "type": "double"},
                {"name": "wind", "type": ["null", "float"]},
                {"name": "holiday", "type": "boolean"},
                {"name": "season", "type": {"type": "enum", "name": "Season", "symbols": ["LOW", "HIGH"]}},
                {"name": "city", "type": ["null", "string"]},
                {"name": "hour", "type": "int"},
                {"name": "station", "type": ["null", {"type": "record", "name": "Station", "fields": [
                  {"name": "id", "type": "long"},
                  {"name": "next", "type": ["null", "Station"]}
                ]}]},
                {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
                {"name": "raw", "type": "bytes"},
                {"name": "nulls", "type": {"type": "array", "items": "null"}}
              ]}
              """);

  @Test
  void decode_featuresOfOtherPrograms_readZerosAndOthersAsTheySay()
      throws MalformedRecordException {
    List<Feature> features =
        List.of(
            new Feature.Numeric("temp", true),
            new Feature.Numeric("hour", true),
            new Feature.Categorical("city", List.of("Köln", "Bonn"), true),
            new Feature.Categorical("season", List.of("HIGH"), true));
    FeatureDecoder decoder = FeatureDecoder.compile(BIKE, features);

    assertThat(decode(decoder, 4, bike("Bonn", 0, null)))
        .as("zero is missing, and the season LOW another one than HIGH")
        .containsExactly(21.5, Double.NaN, 1, 1);
    assertThat(decode(decoder, 4, bike("Paris", 3, null)))
        .as("a city that is not listed is not missing")
        .containsExactly(21.5, 3, 2, 1);
    assertThat(decode(decoder, 4, bike(null, 3, null)))
        .as("no city is missing")
        .containsExactly(21.5, 3, Double.NaN, 1);
  }

  @Test
  void decode_eachType_isAsDocumented() throws MalformedRecordException {
    List<Feature> features =
        List.of(
            new Feature.Numeric("temp"),
            new Feature.Numeric("wind"),
            new Feature.Numeric("holiday"),
            new Feature.Categorical("season", List.of("HIGH", "LOW")),
            new Feature.Categorical("city", List.of("Köln", "Bonn")),
            new Feature.Categorical("hour", List.of("7", "-3")),
            new Feature.Numeric("station.id"),
            new Feature.Numeric("station.next.id"),
            new Feature.Numeric("at"),
            new Feature.Numeric("nowhere"),
            new Feature.Categorical("temp.of.nothing", List.of("x")));
    FeatureDecoder decoder = FeatureDecoder.compile(BIKE, features);

    assertThat(decode(decoder, features.size(), bike("Bonn", -3, station(5, station(6, null)))))
        .containsExactly(21.5, 2.5, 1, 1, 1, 1, 5, 6, 1_500.001, Double.NaN, Double.NaN);
    assertThat(decode(decoder, features.size(), bike("Paris", 8, null)))
        .containsExactly(
            21.5,
            2.5,
            1,
            1,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            1_500.001,
            Double.NaN,
            Double.NaN);
    assertThat(decode(decoder, features.size(), bike(null, 7, station(1, null))))
        .startsWith(21.5, 2.5, 1, 1, Double.NaN, 0, 1, Double.NaN);
  }

  @Test
  void decode_withDictionary_learnsCategoriesInOrder() throws MalformedRecordException {
    List<Feature> features =
        List.of(
            new Feature.Categorical("city", List.of("Bonn")),
            new Feature.Categorical("hour", List.of()),
            new Feature.Numeric("temp"));
    CategoryDictionary dictionary = new CategoryDictionary(features);
    FeatureDecoder decoder =
        FeatureDecoder.compile(BIKE, features, FeatureDecoder.Rules.USUAL, dictionary);

    assertThat(decode(decoder, 3, bike("Paris", 9, null))).containsExactly(1, 0, 21.5);
    assertThat(decode(decoder, 3, bike("Bonn", 8, null))).containsExactly(0, 1, 21.5);
    assertThat(decode(decoder, 3, bike("Paris", 8, null))).containsExactly(1, 1, 21.5);
    assertThat(dictionary.features())
        .containsExactly(
            new Feature.Categorical("city", List.of("Bonn", "Paris")),
            new Feature.Categorical("hour", List.of("9", "8")),
            new Feature.Numeric("temp"));
  }

  @Test
  void dictionary_full_countsWhatItLeavesOut() throws MalformedRecordException {
    List<Feature> features = List.of(new Feature.Categorical("city", List.of()));
    CategoryDictionary dictionary = new CategoryDictionary(features);
    FeatureDecoder decoder =
        FeatureDecoder.compile(BIKE, features, FeatureDecoder.Rules.USUAL, dictionary);
    for (int i = 0; i < 10_000; i++) {
      assertThat(decode(decoder, 1, bike("city " + i, 0, null))).containsExactly(i);
    }
    assertThat(dictionary.leftOut()).isEmpty();

    assertThat(decode(decoder, 1, bike("x".repeat(2_000), 0, null))).containsExactly(Double.NaN);
    assertThat(dictionary.leftOut()).containsExactly(Map.entry("city", 1L));
    int many = 0;
    while (!Double.isNaN(decode(decoder, 1, bike("x".repeat(1_000) + many, 0, null))[0])) {
      many++;
    }
    assertThat(many).isBetween(550, 700);
    assertThat(dictionary.leftOut()).containsExactly(Map.entry("city", 2L));
    assertThat(decode(decoder, 1, bike("city 9999", 0, null))).containsExactly(9_999);
    FeatureDecoder fixed = FeatureDecoder.compile(BIKE, dictionary.features());
    assertThat(decode(fixed, 1, bike("city 77", 0, null))).containsExactly(77);
  }

  @Test
  void compile_unusableType_isIncompatible() {
    for (Feature feature :
        List.of(
            new Feature.Numeric("city"),
            new Feature.Numeric("raw"),
            new Feature.Numeric("nulls"),
            new Feature.Numeric("station"),
            new Feature.Categorical("at", List.of()))) {
      assertMalformed(
          Reason.INCOMPATIBLE_SCHEMA, () -> FeatureDecoder.compile(BIKE, List.of(feature)));
    }
  }

  @Test
  void decode_damagedBytes_saysWhy() throws MalformedRecordException {
    FeatureDecoder decoder = FeatureDecoder.compile(BIKE, List.of(new Feature.Numeric("temp")));
    double[] vector = new double[1];
    byte[] whole = RandomRecords.encode(bike("Bonn", 1, null));

    assertMalformed(
        Reason.TRAILING_BYTES,
        () -> decoder.decode(Arrays.copyOf(whole, whole.length + 1), 0, vector));
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertMalformed(Reason.TRUNCATED, () -> decoder.decode(cut, 0, vector));
    }
    byte[] manyNulls = Arrays.copyOf(whole, whole.length + 5);
    // The last byte ends the array of nulls: claim 2^34 of them instead.
    System.arraycopy(
        new byte[] {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x7F, 0},
        0,
        manyNulls,
        whole.length - 1,
        6);
    assertMalformed(Reason.LIMIT_EXCEEDED, () -> decoder.decode(manyNulls, 0, vector));
    GenericRecord deep = station(0, null);
    for (int i = 0; i < 200; i++) {
      deep = station(i, deep);
    }
    byte[] nested = RandomRecords.encode(bike("Bonn", 1, deep));
    assertMalformed(Reason.LIMIT_EXCEEDED, () -> decoder.decode(nested, 0, vector));
  }

  @Test
  void decode_withAReaderOfTheCaller_allocatesNothing() throws MalformedRecordException {
    List<Feature> features =
        List.of(
            new Feature.Numeric("temp"),
            new Feature.Numeric("wind"),
            new Feature.Numeric("hour"),
            new Feature.Numeric("station.id"),
            new Feature.Categorical("season", List.of("HIGH", "LOW")),
            new Feature.Categorical("city", List.of("Bonn", "Köln")),
            new Feature.Numeric("at"));
    FeatureDecoder decoder = FeatureDecoder.compile(BIKE, features);
    BodyReader reader = new BodyReader();
    byte[] body = RandomRecords.encode(bike("Köln", 7, station(3, null)));
    double[] vector = new double[features.size()];
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    int records = 20_000;
    decoder.decode(body, 0, vector, reader);

    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < records; i++) {
      decoder.decode(body, 0, vector, reader);
    }
    long perRecord = (threads.getCurrentThreadAllocatedBytes() - before) / records;

    assertThat(perRecord).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void decode_randomRecords_agreesWithAvro(long seed) throws Exception {
    for (int i = 0; i < 60; i++) {
      RandomRecords random = new RandomRecords(1_000 * seed + i);
      Schema schema = random.schema();
      List<Feature> features = new ArrayList<>();
      List<String> paths = new ArrayList<>();
      features(schema, features, paths);
      FeatureDecoder decoder = FeatureDecoder.compile(schema, features);
      FieldDecoder fields = FieldDecoder.compile(schema, paths);
      for (int j = 0; j < 20; j++) {
        byte[] body = RandomRecords.encode(random.value(schema));
        GenericRecord read =
            new GenericDatumReader<GenericRecord>(schema)
                .read(null, DecoderFactory.get().binaryDecoder(body, null));
        double[] expected = features.stream().mapToDouble(f -> expected(read, f)).toArray();
        double[] vector = new double[features.size()];

        decoder.decode(body, 0, vector);

        assertThat(vector).as(schema.toString()).containsExactly(expected);
        assertThat(fields.decode(body, 0))
            .as(schema.toString())
            .containsExactly(paths.stream().map(path -> field(read, path)).toArray());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void decode_mutatedBytes_neverThrowsAnythingElse(long seed) throws MalformedRecordException {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 60; i++) {
      RandomRecords records = new RandomRecords(random.nextLong());
      Schema schema = records.schema();
      List<Feature> features = new ArrayList<>();
      List<String> paths = new ArrayList<>();
      features(schema, features, paths);
      FeatureDecoder decoder = FeatureDecoder.compile(schema, features);
      double[] vector = new double[features.size()];
      byte[] body = RandomRecords.encode(records.value(schema));
      for (int j = 0; j < 200; j++) {
        byte[] damaged = body.clone();
        for (int k = random.nextInt(1, 4); k > 0 && damaged.length > 0; k--) {
          damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
        }
        try {
          decoder.decode(damaged, 0, vector);
        } catch (MalformedRecordException e) {
          assertThat(e.getMessage()).isNotEmpty();
        }
      }
    }
  }

  private static void features(Schema schema, List<Feature> features, List<String> paths) {
    RecordLayout.fields(schema)
        .forEach(
            (path, types) -> {
              if (types.stream().allMatch(type -> FieldType.of(type).numeric())) {
                features.add(new Feature.Numeric(path));
              } else if (types.stream().allMatch(type -> FieldType.of(type).categorical())) {
                features.add(new Feature.Categorical(path, List.of("A", "grün", "", "C")));
              }
              if (types.stream().noneMatch(type -> FieldType.of(type) == FieldType.UNUSABLE)) {
                paths.add(path);
              }
            });
  }

  private static double expected(GenericRecord record, Feature feature) {
    Object value = walk(record, feature.name());
    if (value == null) {
      return Double.NaN;
    }
    if (feature instanceof Feature.Categorical categorical) {
      int code = categorical.categories().indexOf(value.toString());
      return code < 0 ? Double.NaN : code;
    }
    Object field = field(record, feature.name());
    return field == null ? Double.NaN : ((Number) field).doubleValue();
  }

  private static @Nullable Object field(GenericRecord record, String path) {
    Object value = walk(record, path);
    Schema type = RecordLayout.fields(record.getSchema()).getOrDefault(path, List.of()).getFirst();
    String logical = type.getLogicalType() == null ? "" : type.getLogicalType().getName();
    return switch (value) {
      case null -> null;
      case Boolean truth -> truth ? 1.0 : 0.0;
      case Integer number when logical.equals("date") -> number * 86_400_000.0;
      case Long number when logical.equals("timestamp-micros") -> number / 1e3;
      case Long number when logical.equals("timestamp-nanos") -> number / 1e6;
      case Long whole when logical.isEmpty() && (whole > 1L << 53 || whole < -(1L << 53)) -> whole;
      case Number number -> number.doubleValue();
      default -> value.toString();
    };
  }

  private static @Nullable Object walk(GenericRecord record, String path) {
    Object value = record;
    for (String name : path.split("\\.", -1)) {
      value = value instanceof GenericRecord inner ? inner.get(name) : null;
    }
    return value;
  }

  private static double[] decode(FeatureDecoder decoder, int width, GenericRecord record)
      throws MalformedRecordException {
    double[] vector = new double[width];
    decoder.decode(RandomRecords.encode(record), 0, vector);
    return vector;
  }

  private static GenericRecord bike(
      @Nullable String city, int hour, @Nullable GenericRecord station) {
    GenericRecord bike = new GenericData.Record(BIKE);
    Map<String, Object> values =
        Map.of("temp", 21.5, "wind", 2.5f, "holiday", true, "hour", hour, "at", 1_500_001L);
    values.forEach(bike::put);
    bike.put("season", new GenericData.EnumSymbol(BIKE.getField("season").schema(), "LOW"));
    bike.put("city", city);
    bike.put("station", station);
    bike.put("raw", java.nio.ByteBuffer.wrap(new byte[] {1, 2}));
    bike.put("nulls", List.of());
    return bike;
  }

  private static GenericRecord station(long id, @Nullable GenericRecord next) {
    GenericRecord station =
        new GenericData.Record(BIKE.getField("station").schema().getTypes().get(1));
    station.put("id", id);
    station.put("next", next);
    return station;
  }

  private static void assertMalformed(Reason reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            MalformedRecordException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
