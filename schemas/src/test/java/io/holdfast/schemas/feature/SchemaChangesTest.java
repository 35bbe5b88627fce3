package io.holdfast.schemas.feature;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of features, labels and settings when the schema of records changes. */
class SchemaChangesTest {
  private static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("amount"),
          new Feature.Categorical("city", List.of("Bern", "Genf")),
          new Feature.Numeric("shop.size"));

  private static final int HEADER = 10; // of a framed record

  private static final Map<String, Object> VALUES =
      Map.of("amount", 7, "city", "Genf", "size", 3, "label", 1.5);

  /** What a producer may do to its schema; the value is what the field is called then. */
  enum Change {
    NONE("%s", "", true),
    OPTIONAL("%s", "", true),
    REORDERED("%s", "", true),
    RENAMED("%s2", "", false),
    RENAMED_WITH_ALIAS("%s2", "%s", true),
    RENAMED_TWICE_WITH_ALIASES("%s3", "%s2\", \"%s", true),
    REMOVED("", "", false),
    OTHER_CASE("%S", "", false);

    private final String name;
    private final String aliases;
    private final boolean there;

    Change(String name, String aliases, boolean there) {
      this.name = name;
      this.aliases = aliases;
      this.there = there;
    }

    /** The field, with a comma before it; nothing if there is none. */
    private String field(String old, String type) {
      if (name.isEmpty()) {
        return "";
      }
      return String.format(
          Locale.ROOT,
          "{\"name\": \"%s\", \"type\": %s %s}",
          String.format(Locale.ROOT, name, old),
          this == OPTIONAL ? "[\"null\", " + type + "]" : type,
          aliases.isEmpty()
              ? ""
              : ", \"aliases\": [\"" + String.format(Locale.ROOT, aliases, old, old) + "\"]");
    }

    private String named(String old) {
      return name.isEmpty() ? "" : String.format(Locale.ROOT, name, old);
    }
  }

  static Stream<Arguments> changesByField() {
    return Stream.of("amount", "city", "shop", "size")
        .flatMap(field -> Stream.of(Change.values()).map(change -> Arguments.of(field, change)));
  }

  @ParameterizedTest
  @MethodSource("changesByField")
  void feature_isFoundByEveryNameThatItsFieldHad_andElseSaidToBeAbsent(String field, Change change)
      throws Exception {
    Schema schema = schema(field, change);
    FeatureDecoder decoder = FeatureDecoder.compile(schema, FEATURES);
    double[] features = new double[3];
    decoder.decode(record(schema), HEADER, features);
    List<String> lost =
        change.there
            ? List.of()
            : List.of(field.equals("shop") || field.equals("size") ? "shop.size" : field);
    assertThat(decoder.absent()).isEqualTo(lost);
    for (int i = 0; i < 3; i++) {
      Double there = List.of(7.0, 1.0, 3.0).get(i);
      assertThat(features[i])
          .as(FEATURES.get(i).name())
          .isEqualTo(lost.contains(FEATURES.get(i).name()) ? Double.valueOf(Double.NaN) : there);
      assertThat(FeatureDecoder.isUnseen(features[i])).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Change.class,
      names = {"NONE", "RENAMED_WITH_ALIAS", "RENAMED_TWICE_WITH_ALIASES"})
  void settings_nameFieldsByWhatTheyWereCalled(Change change) throws Exception {
    ModelSettings settings =
        ModelSettings.of(
            "m",
            Map.of("objective", "squared", "label", "label", "features.categorical", "amount"),
            key -> key);
    Schema label = schema("label", change);
    assertThat(RecordLayout.features(settings, label))
        .extracting(Feature::name)
        .containsExactly("amount", "city", "shop.size");
    assertThat(FieldDecoder.compile(label, List.of("label")).decode(record(label), HEADER))
        .containsExactly(1.5);
    assertThat(RecordLayout.features(settings, schema("amount", change)).getFirst())
        .isEqualTo(new Feature.Categorical(change.named("amount"), List.of()));
  }

  /** A field that has a name goes before one that had it. */
  @Test
  void aliasThatIsTheNameOfAnotherField_isNotTaken() throws Exception {
    Schema schema =
        SchemaFile.parse(
            """
            {"type": "record", "name": "Sale", "fields": [
              {"name": "amount2", "type": "int", "aliases": ["amount"]},
              {"name": "amount", "type": "int"}]}
            """);
    GenericRecord record = new GenericData.Record(schema);
    record.put("amount2", 1);
    record.put("amount", 2);
    FeatureDecoder decoder =
        FeatureDecoder.compile(
            schema, List.of(new Feature.Numeric("amount"), new Feature.Numeric("amount2")));
    double[] features = new double[2];
    decoder.decode(new RecordEncoder(schema).encode(record), HEADER, features);
    assertThat(features).containsExactly(2, 1);
  }

  private static Schema schema(String changed, Change change) {
    String size = field("size", "\"int\"", changed, change);
    List<String> fields =
        List.of(
            field("amount", "\"int\"", changed, change),
            field("city", "\"string\"", changed, change),
            field(
                "shop",
                "{\"type\": \"record\", \"name\": \"Shop\", \"fields\": [" + size + "]}",
                changed,
                change),
            field("label", "\"double\"", changed, change));
    List<String> there = fields.stream().filter(field -> !field.isEmpty()).toList();
    return SchemaFile.parse(
        "{\"type\": \"record\", \"name\": \"Sale\", \"fields\": ["
            + String.join(", ", change == Change.REORDERED ? there.reversed() : there)
            + "]}");
  }

  private static String field(String name, String type, String changed, Change change) {
    return (name.equals(changed) ? change : Change.NONE).field(name, type);
  }

  private static byte[] record(Schema schema) {
    return new RecordEncoder(schema).encode(filled(schema));
  }

  private static GenericRecord filled(Schema schema) {
    GenericRecord record = new GenericData.Record(schema);
    for (Schema.Field field : schema.getFields()) {
      Schema type = field.schema().isUnion() ? field.schema().getTypes().get(1) : field.schema();
      String name = field.name().toLowerCase(Locale.ROOT).replaceAll("[0-9]", "");
      record.put(
          field.name(), type.getType() == Schema.Type.RECORD ? filled(type) : VALUES.get(name));
    }
    return record;
  }
}
