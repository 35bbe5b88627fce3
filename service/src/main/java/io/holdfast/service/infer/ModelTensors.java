package io.holdfast.service.infer;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.wire.FieldAliases;
import io.holdfast.service.infer.InferView.OutputTensor;
import io.holdfast.service.infer.InferView.TensorMetadata;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.request.JsonScorer.Scored;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/** A version's inputs and outputs as tensors. Immutable. */
record ModelTensors(ActiveModel active) {
  private static final int RECORDS = -1;

  /** A column each feature, of the type that its field has in the schema. */
  List<TensorMetadata> inputs(Schema schema) {
    return active.version().model().features().stream()
        .map(
            feature ->
                new TensorMetadata(
                    ColumnName.of(feature.name()),
                    datatype(feature, schema).name(),
                    List.of(RECORDS)))
        .toList();
  }

  /** From the name of an input to the path of its field. */
  Map<String, String> paths() {
    Map<String, String> paths = new HashMap<>();
    for (Feature feature : active.version().model().features()) {
      paths.put(ColumnName.of(feature.name()), feature.name());
    }
    return paths;
  }

  private static Datatype datatype(Feature feature, Schema schema) {
    Schema type = schema;
    for (String name : FieldAliases.resolve(schema, feature.name()).split("\\.", -1)) {
      Schema.Field field = type.getType() == Schema.Type.RECORD ? type.getField(name) : null;
      if (field == null) {
        return feature instanceof Feature.Categorical ? Datatype.BYTES : Datatype.FP64;
      }
      type = value(field.schema());
    }
    return switch (type.getType()) {
      case BOOLEAN -> Datatype.BOOL;
      case INT -> Datatype.INT32;
      case LONG -> Datatype.INT64;
      case FLOAT -> Datatype.FP32;
      case DOUBLE, BYTES -> Datatype.FP64; // bytes are a decimal
      default -> type.getLogicalType() != null && !isText(type) ? Datatype.FP64 : Datatype.BYTES;
    };
  }

  private static boolean isText(Schema type) {
    return type.getType() != Schema.Type.FIXED || "uuid".equals(type.getLogicalType().getName());
  }

  /** What a field is that may be null. */
  private static Schema value(Schema type) {
    return type.isUnion()
        ? type.getTypes().stream()
            .filter(one -> one.getType() != Schema.Type.NULL)
            .findFirst()
            .orElse(type)
        : type;
  }

  /** All outputs. */
  List<TensorMetadata> outputs() {
    return outputs(List.of(), RECORDS).stream()
        .map(output -> new TensorMetadata(output.name(), output.datatype(), output.shape()))
        .toList();
  }

  /** The outputs of these names, all if there are none, of scored records. */
  List<OutputTensor> outputs(List<Scored> scored, List<String> names) {
    List<OutputTensor> all = outputs(scored, scored.size());
    if (names.isEmpty()) {
      return all;
    }
    List<OutputTensor> wanted = new ArrayList<>();
    for (String name : names) {
      wanted.add(
          all.stream()
              .filter(output -> output.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new ProblemException(
                          ProblemKind.MALFORMED_BODY,
                          Sentence.of(
                              "there is no output %s; the model has %s",
                              name, all.stream().map(OutputTensor::name).toList()))));
    }
    return wanted;
  }

  private List<OutputTensor> outputs(List<Scored> scored, int rows) {
    List<Object> predictions = new ArrayList<>();
    List<Object> labels = new ArrayList<>();
    List<Object> probabilities = new ArrayList<>();
    List<Object> raws = new ArrayList<>();
    int classes = active.objective().classes();
    double[] ofClasses = new double[classes];
    for (Scored one : scored) {
      double prediction = active.objective().prediction(one.raw());
      predictions.add(prediction);
      String label = active.classes().label(active.objective(), prediction);
      if (label != null) {
        labels.add(label);
      }
      active.objective().probabilities(one.raw(), ofClasses);
      addAll(probabilities, ofClasses);
      addAll(raws, one.raw());
    }
    List<OutputTensor> outputs = new ArrayList<>();
    outputs.add(tensor("prediction", Datatype.FP64, List.of(rows), predictions));
    if (active.classes().isNamed()) {
      outputs.add(tensor("label", Datatype.BYTES, List.of(rows), labels));
    }
    if (classes > 0) {
      outputs.add(tensor("probabilities", Datatype.FP64, List.of(rows, classes), probabilities));
    }
    if (active.classes().isNamed()) {
      List<String> names = active.classes().names();
      outputs.add(tensor("classes", Datatype.BYTES, List.of(names.size()), new ArrayList<>(names)));
    }
    outputs.add(
        tensor("raw_scores", Datatype.FP64, List.of(rows, active.scorer().outputs()), raws));
    outputs.addAll(bounds(scored, rows));
    return outputs;
  }

  /**
   * Where labels are promised to be, by level: two numbers, or whether each class is in the set.
   */
  private List<OutputTensor> bounds(List<Scored> scored, int rows) {
    RowBounds bounds = active.bounds();
    List<OutputTensor> outputs = new ArrayList<>();
    for (int level = 0; bounds != null && level < bounds.levels().size(); level++) {
      List<Object> lower = new ArrayList<>();
      List<Object> upper = new ArrayList<>();
      List<Object> members = new ArrayList<>();
      for (Scored one : scored) {
        bounds.of(one.environment(), one.raw(), bounds.spread(one.features(), one.raw()));
        if (!bounds.ofClasses()) {
          lower.add(bounds.lower(level));
          upper.add(bounds.upper(level));
        }
        for (int k = 0; k < bounds.classes(); k++) {
          members.add(bounds.holds(level, k));
        }
      }
      String percent = percent(bounds.levels().get(level));
      if (bounds.ofClasses()) {
        List<Integer> shape = List.of(rows, bounds.classes());
        outputs.add(tensor("set_" + percent, Datatype.BOOL, shape, members));
      } else {
        outputs.add(tensor("lower_" + percent, Datatype.FP64, List.of(rows), lower));
        outputs.add(tensor("upper_" + percent, Datatype.FP64, List.of(rows), upper));
      }
    }
    return outputs;
  }

  /** As 90 and 97.5. */
  private static String percent(double level) {
    return BigDecimal.valueOf(level).movePointRight(2).stripTrailingZeros().toPlainString();
  }

  private static void addAll(List<Object> into, double[] values) {
    for (double value : values) {
      into.add(value);
    }
  }

  private static OutputTensor tensor(
      String name, Datatype datatype, List<Integer> shape, List<Object> data) {
    return new OutputTensor(name, datatype.name(), shape, null, data);
  }
}
