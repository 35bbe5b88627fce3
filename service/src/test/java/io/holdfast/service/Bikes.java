package io.holdfast.service;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.service.model.ActiveModel;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecordBuilder;
import org.jspecify.annotations.Nullable;

/** A small model that the tests share: bike rides, scored by one split on the temperature. */
public final class Bikes {
  public static final String NAME = "bikes";

  /** The label is in the record, and may be null. */
  public static final Schema RIDE =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Ride", "namespace": "test", "fields": [
            {"name": "id", "type": "string"},
            {"name": "temperature", "type": ["null", "double"]},
            {"name": "weather", "type": {"type": "record", "name": "Weather", "fields": [
              {"name": "wind", "type": "int"},
              {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}}]}},
            {"name": "season", "type": {"type": "enum", "name": "Season",
                                        "symbols": ["SPRING", "SUMMER"]}},
            {"name": "tags", "type": {"type": "array", "items": "string"}},
            {"name": "count", "type": ["null", "double"]},
            {"name": "weight", "type": ["null", "double"]}]}
          """);

  /** A label of the user's own. */
  public static final Schema COUNTED =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Counted", "namespace": "test", "fields": [
            {"name": "count", "type": ["null", "double", "string"]},
            {"name": "season", "type": ["null", "string"]},
            {"name": "weight", "type": ["null", "double"], "default": null}]}
          """);

  private static final Map<Long, Schema> SCHEMAS =
      Map.of(
          Fingerprint.of(RIDE), RIDE,
          Fingerprint.of(COUNTED), COUNTED,
          Fingerprint.of(io.holdfast.schemas.avro.Label.getClassSchema()),
              io.holdfast.schemas.avro.Label.getClassSchema());

  public static final Framing FRAMING = new SingleObjectFraming(SCHEMAS::get);

  private static final RecordEncoder RIDES = new RecordEncoder(RIDE);
  private static final RecordEncoder LABELS = new RecordEncoder(COUNTED);

  private Bikes() {}

  /** The model's settings; {@code values} are pairs of keys and values beside the usual ones. */
  public static ModelSettings settings(String... values) {
    Map<String, String> all = new HashMap<>();
    all.put("objective", "squared");
    all.put("label", "count");
    all.put("environment", "season");
    all.put("id", "id");
    for (int i = 0; i < values.length; i += 2) {
      all.put(values[i], values[i + 1]);
    }
    return ModelSettings.of(NAME, all, key -> key);
  }

  /** A ride, framed. */
  public static byte[] ride(
      @Nullable Double temperature,
      String season,
      @Nullable Double count,
      @Nullable Double weight) {
    var weather =
        new GenericRecordBuilder(RIDE.getField("weather").schema())
            .set("wind", 3)
            .set("at", 1_000L)
            .build();
    return RIDES.encode(
        new GenericRecordBuilder(RIDE)
            .set("id", "ride")
            .set("temperature", temperature)
            .set("weather", weather)
            .set("season", new GenericData.EnumSymbol(RIDE.getField("season").schema(), season))
            .set("tags", List.of("a", "b"))
            .set("count", count)
            .set("weight", weight)
            .build());
  }

  public static byte[] ride(double temperature, String season) {
    return ride(temperature, season, null, null);
  }

  /** A label of the user's own schema, framed; {@code count} is a number, a text or null. */
  public static byte[] counted(@Nullable Object count, @Nullable String season) {
    return counted(count, season, null);
  }

  /** The same, with a weight. */
  public static byte[] counted(
      @Nullable Object count, @Nullable String season, @Nullable Double weight) {
    return LABELS.encode(
        new GenericRecordBuilder(COUNTED)
            .set("count", count)
            .set("season", season)
            .set("weight", weight)
            .build());
  }

  /** A version: {@code cold} up to 20 degrees, {@code warm} above; a missing value is cold. */
  public static LedgerVersion version(
      long number, ModelSettings settings, double cold, double warm) {
    List<Feature> features =
        List.of(
            new Feature.Numeric("temperature"),
            new Feature.Numeric("weather.wind"),
            new Feature.Categorical("season", List.of("SPRING", "SUMMER")));
    Tree tree =
        new Tree(
                new int[] {0},
                new double[] {20},
                new boolean[] {true},
                new long[][] {{}},
                new int[] {-1},
                new int[] {-2},
                new double[] {cold, warm})
            .withStatistics(new float[] {1}, new float[] {30, 10});
    Model model =
        new Model(
            settings.booster().objective(), features, 0.5, List.of(new Segment(List.of(tree))));
    ModelManifest manifest =
        ModelManifest.newBuilder()
            .setFormat(1)
            .setModel(settings.name())
            .setVersion(number)
            .setParentHash(null)
            .setObjective(settings.booster().objective().name())
            .setObjectiveParameters(Map.of())
            .setGamma(1)
            .setBase(List.of(0.5))
            .setFeatures(
                features.stream()
                    .map(
                        feature ->
                            new ManifestFeature(
                                feature.name(),
                                feature instanceof Feature.Categorical,
                                feature instanceof Feature.Categorical c
                                    ? c.categories()
                                    : List.of()))
                    .toList())
            .setSegments(List.of())
            .setWindow(List.of())
            .setMemory(List.of())
            .setEnvironments(List.of())
            .setSeed(1)
            .setSettings(settings.classes().isEmpty() ? "{}" : settings.trainingJson())
            .setMetrics(Map.of())
            .setProgramVersion("test")
            .setLinear(List.of())
            .setParentVersion(-1L)
            .setReplay(List.of())
            .setHeldOut(0)
            .setRungs(List.of())
            .build();
    Digest hash = Digest.of(new ContractCodec<>(ModelManifest.class).encodeBody(manifest));
    return new LedgerVersion(manifest, hash, List.of(), model);
  }

  /** The same, ready to score. */
  public static ActiveModel active(long number, ModelSettings settings, double cold, double warm) {
    return new ActiveModel(version(number, settings, cold, warm));
  }

  /** A head that makes a version serve. */
  public static ModelHead head(LedgerVersion version, HeadReason reason) {
    return ModelHead.newBuilder()
        .setFormat(1)
        .setModel(version.manifest().getModel())
        .setVersion(version.number())
        .setHash(new Sha256Digest(version.hash().bytes()))
        .setReason(reason)
        .setBy("test")
        .setAt(Instant.ofEpochMilli(1_000_000))
        .build();
  }
}
