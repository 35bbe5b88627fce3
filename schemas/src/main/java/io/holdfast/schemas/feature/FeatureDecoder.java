package io.holdfast.schemas.feature;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.wire.BodyPlan;
import io.holdfast.schemas.wire.BodyPlan.Step;
import io.holdfast.schemas.wire.BodyReader;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Avro bytes to a feature vector for one writer schema, without building a record. Immutable and
 * safe to share, unless it was compiled with a dictionary: then it belongs to the dictionary's
 * thread.
 *
 * <p>Numbers are themselves, booleans 0 or 1, dates and times milliseconds. A category is its code:
 * for strings and enums their text, for booleans {@code true} or {@code false}, for whole numbers
 * their decimal digits.
 */
public final class FeatureDecoder {
  private final BodyPlan<double[]> plan;
  private final int width;

  private FeatureDecoder(BodyPlan<double[]> plan, int width) {
    this.plan = plan;
    this.width = width;
  }

  /**
   * A decoder for bodies written with {@code writer}. A feature that the schema lacks is always
   * missing.
   *
   * @throws MalformedRecordException with reason INCOMPATIBLE_SCHEMA if a field's type cannot be
   *     the feature
   */
  public static FeatureDecoder compile(Schema writer, List<Feature> features)
      throws MalformedRecordException {
    return compileWith(writer, features, null);
  }

  /**
   * The same with categories looked up in {@code dictionary}, which learns new ones (training).
   *
   * @throws MalformedRecordException as above
   */
  public static FeatureDecoder compile(
      Schema writer, List<Feature> features, CategoryDictionary dictionary)
      throws MalformedRecordException {
    return compileWith(writer, features, dictionary);
  }

  private static FeatureDecoder compileWith(
      Schema writer, List<Feature> features, @Nullable CategoryDictionary dictionary)
      throws MalformedRecordException {
    Map<String, BodyPlan.LeafFactory<double[]>> leaves = new HashMap<>();
    for (int i = 0; i < features.size(); i++) {
      int slot = i;
      BodyPlan.LeafFactory<double[]> leaf =
          switch (features.get(slot)) {
            case Feature.Numeric numeric -> type -> number(numeric.name(), type, slot);
            case Feature.Categorical categorical -> {
              Codes codes =
                  dictionary == null
                      ? new CategoryTable(categorical.categories())::find
                      : dictionary.table(categorical)::findOrAdd;
              yield type -> category(categorical.name(), type, codes, slot, dictionary != null);
            }
          };
      if (leaves.put(features.get(slot).name(), leaf) != null) {
        throw new IllegalArgumentException(
            "every feature must have a name of its own: " + features.get(slot).name());
      }
    }
    return new FeatureDecoder(BodyPlan.compile(writer, leaves), features.size());
  }

  /**
   * Decodes the body {@code bytes[from, bytes.length)} to {@code features}, one value a feature;
   * missing, null and unseen categories become NaN.
   *
   * @throws MalformedRecordException if the body is not one whole record of the writer schema; the
   *     vector is of no use then
   */
  public void decode(byte[] bytes, int from, double[] features) throws MalformedRecordException {
    decode(bytes, from, features, new BodyReader());
  }

  /**
   * The same with the caller's reader: nothing is allocated for numbers and for categories that are
   * texts, enums or booleans.
   *
   * @throws MalformedRecordException as above
   */
  public void decode(byte[] bytes, int from, double[] features, BodyReader reader)
      throws MalformedRecordException {
    if (features.length != width) {
      throw new IllegalArgumentException(
          "the vector must have " + width + " values: " + features.length);
    }
    Arrays.fill(features, Double.NaN);
    plan.read(bytes, from, features, reader);
  }

  /** The code of a category, -1 if it has none. */
  @FunctionalInterface
  private interface Codes {
    int of(byte[] bytes, int from, int length);

    default double value(byte[] bytes, int from, int length) {
      int code = of(bytes, from, length);
      return code < 0 ? Double.NaN : code;
    }

    default double value(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return value(bytes, 0, bytes.length);
    }
  }

  private static Step<double[]> number(String name, Schema type, int slot)
      throws MalformedRecordException {
    FieldType fieldType = FieldType.of(type);
    if (!fieldType.numeric()) {
      throw incompatible(name, type, "a number");
    }
    if (fieldType == FieldType.TIME) {
      long unit = FieldType.millisPerUnit(type);
      return (in, features) -> features[slot] = FieldType.millis(in.readLong(), unit);
    }
    return switch (type.getType()) {
      case INT -> (in, features) -> features[slot] = in.readInt();
      case LONG -> (in, features) -> features[slot] = in.readLong();
      case FLOAT -> (in, features) -> features[slot] = in.readFloat();
      case DOUBLE -> (in, features) -> features[slot] = in.readDouble();
      default -> (in, features) -> features[slot] = in.readBoolean() ? 1 : 0;
    };
  }

  private static Step<double[]> category(
      String name, Schema type, Codes codes, int slot, boolean growing)
      throws MalformedRecordException {
    return switch (FieldType.of(type)) {
      case STRING -> {
        // Made once, not for each record: it captures nothing of the record.
        var visitor = textVisitor(codes, slot);
        yield (in, features) -> in.readText(visitor, features);
      }
      case ENUM -> symbol(type.getEnumSymbols(), codes, slot, growing);
      case BOOLEAN -> truth(codes, slot, growing);
      case WHOLE ->
          type.getType() == Schema.Type.INT
              ? (in, features) -> features[slot] = codes.value(Integer.toString(in.readInt()))
              : (in, features) -> features[slot] = codes.value(Long.toString(in.readLong()));
      case REAL, TIME, UNUSABLE -> throw incompatible(name, type, "a category");
    };
  }

  private static BodyReader.TextVisitor<double[]> textVisitor(Codes codes, int slot) {
    return (bytes, from, length, features) -> features[slot] = codes.value(bytes, from, length);
  }

  private static Step<double[]> truth(Codes codes, int slot, boolean growing) {
    if (growing) {
      return (in, features) -> features[slot] = codes.value(in.readBoolean() ? "true" : "false");
    }
    double no = codes.value("false");
    double yes = codes.value("true");
    return (in, features) -> features[slot] = in.readBoolean() ? yes : no;
  }

  private static Step<double[]> symbol(
      List<String> symbols, Codes codes, int slot, boolean growing) {
    int count = symbols.size();
    if (growing) {
      return (in, features) -> features[slot] = codes.value(symbols.get(in.readIndex(count)));
    }
    double[] values = symbols.stream().mapToDouble(codes::value).toArray();
    return (in, features) -> features[slot] = values[in.readIndex(count)];
  }

  private static MalformedRecordException incompatible(String name, Schema type, String wanted) {
    return new MalformedRecordException(
        Reason.INCOMPATIBLE_SCHEMA,
        Sentence.of(
            "field %s is %s in the record's schema, which cannot be %s, as the model needs",
            name, FieldType.describe(type), wanted));
  }
}
