package io.holdfast.service;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.SchemaFile;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/** A model with a feature of every type: the i-th adds 2^i to the raw score where it is high. */
public final class KindsModel {
  /** What it reads. */
  public static final Schema SCHEMA =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Kinds", "fields": [
            {"name": "truth", "type": "boolean"},
            {"name": "small", "type": "int"},
            {"name": "large", "type": ["null", "long"]},
            {"name": "single", "type": "float"},
            {"name": "real", "type": ["null", "double"]},
            {"name": "text", "type": ["null", "string"]},
            {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["a", "b"]}},
            {"name": "amount",
             "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
            {"name": "day", "type": {"type": "int", "logicalType": "date"}},
            {"name": "station", "type": ["null", {"type": "record", "name": "Station", "fields": [
              {"name": "name", "type": "string"}]}]},
            {"name": "label", "type": ["null", "string"]}]}
          """);

  /** Two classes that have names. */
  public static final ModelSettings SETTINGS =
      Bikes.settings("objective", "logistic", "classes", "no,yes", "label", "label");

  private static final List<String> NUMBERS =
      List.of("truth", "small", "large", "single", "real", "amount", "day");
  private static final List<String> ORDER =
      List.of(
          "truth",
          "small",
          "large",
          "single",
          "real",
          "text",
          "kind",
          "amount",
          "day",
          "station.name");

  private KindsModel() {}

  /** A tree for each feature. */
  public static Model model() {
    List<Feature> features = new ArrayList<>();
    List<Tree> trees = new ArrayList<>();
    for (int i = 0; i < ORDER.size(); i++) {
      boolean numeric = NUMBERS.contains(ORDER.get(i));
      features.add(
          numeric
              ? new Feature.Numeric(ORDER.get(i))
              : new Feature.Categorical(ORDER.get(i), List.of("a", "b")));
      trees.add(
          new Tree(
              new int[] {i},
              new double[] {numeric ? 0.5 : 0},
              new boolean[] {numeric}, // a missing value adds nothing
              new long[][] {numeric ? new long[] {} : new long[] {2}}, // the second category
              new int[] {-1},
              new int[] {-2},
              numeric ? new double[] {0, 1 << i} : new double[] {1 << i, 0}));
    }
    return new Model(SETTINGS.booster().objective(), features, 0, List.of(new Segment(trees)));
  }
}
