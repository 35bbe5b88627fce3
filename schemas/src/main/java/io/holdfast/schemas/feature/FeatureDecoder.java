package io.holdfast.schemas.feature;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.CategoryText;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.wire.BodyPlan;
import io.holdfast.schemas.wire.BodyPlan.Step;
import io.holdfast.schemas.wire.BodyReader;
import io.holdfast.schemas.wire.DecimalReader;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Avro bytes to a feature vector for one writer schema, without building a record. Immutable and
 * safe to share, unless it was compiled with a dictionary: then it belongs to the dictionary's
 * thread.
 *
 * <p>Numbers are themselves, decimals the nearest double, booleans 0 or 1, dates and times
 * milliseconds, or a part of them ( {@link DatePart}). A category is its code, found by its one
 * spelling ({@link CategoryText}): of strings and enums their text, of booleans {@code true} or
 * {@code false}, of numbers their digits.
 */
public final class FeatureDecoder {
  /*
   * A category that no feature lists is a missing value to a model, and another one to people: its
   * NaN has bits of its own, and the sign of any other.
   */
  static final double UNSEEN = Double.longBitsToDouble(0x7FF8_0000_0000_0C47L);

  /** Up to here every whole number is a double. */
  private static final long MOST_EXACT = 1L << 53;

  private final BodyPlan<double[]> plan;
  private final int width;
  private final List<String> absent;

  private FeatureDecoder(BodyPlan<double[]> plan, int width, List<String> absent) {
    this.plan = plan;
    this.width = width;
    this.absent = absent;
  }

  /**
   * What a model makes of values, beside its features.
   *
   * @param missing what is no value
   * @param unseen is told of categories that no feature lists; of none while a dictionary learns
   */
  public record Rules(MissingWords missing, UnseenListener unseen) {
    /** The usual words, and nobody listens. */
    public static final Rules USUAL = new Rules(MissingWords.USUAL, UnseenListener.NONE);

    /** Nobody listens. */
    public Rules(MissingWords missing) {
      this(missing, UnseenListener.NONE);
    }
  }

  /**
   * A decoder for bodies written with {@code writer}. A feature that the schema lacks is missing.
   *
   * @throws MalformedRecordException with reason INCOMPATIBLE_SCHEMA if a field's type cannot be
   *     the feature
   */
  public static FeatureDecoder compile(Schema writer, List<Feature> features)
      throws MalformedRecordException {
    return new Compiler(features, null, Rules.USUAL).compile(writer);
  }

  /** The same by other rules. */
  public static FeatureDecoder compile(Schema writer, List<Feature> features, Rules rules)
      throws MalformedRecordException {
    return new Compiler(features, null, rules).compile(writer);
  }

  /** The same with categories looked up in {@code dictionary}, which learns new ones (training). */
  public static FeatureDecoder compile(
      Schema writer, List<Feature> features, Rules rules, CategoryDictionary dictionary)
      throws MalformedRecordException {
    return new Compiler(features, dictionary, rules).compile(writer);
  }

  /** Whether a value that was decoded is a category that no feature lists. */
  public static boolean isUnseen(double value) {
    return Double.doubleToRawLongBits(value) == Double.doubleToRawLongBits(UNSEEN);
  }

  /** The features that the schema lacks, by name: always missing. */
  public List<String> absent() {
    return absent;
  }

  /** How many of the features the schema has; the others are always missing. */
  int found() {
    return plan.found().size();
  }

  /**
   * Decodes the body {@code bytes[from, bytes.length)} to {@code features}, one value a feature;
   * missing, null and unseen categories become NaN; {@link #isUnseen} tells which are the last. To
   * a feature with an other category, unseen ones have its code.
   *
   * @throws MalformedRecordException if the body is not one whole record of the writer schema; the
   *     vector is of no use then
   */
  public void decode(byte[] bytes, int from, double[] features) throws MalformedRecordException {
    decode(bytes, from, features, new BodyReader());
  }

  /**
   * The same with the caller's reader: nothing is allocated for numbers and for categories that are
   * known texts, enums or booleans. It has the {@linkplain BodyReader#marked() marks} of numbers
   * beyond 2^53, which are rounded.
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

  /** Turns features into readers of fields. */
  private static final class Compiler {
    private final List<Feature> features;
    private final @Nullable CategoryDictionary dictionary;
    private final Rules rules;

    Compiler(List<Feature> features, @Nullable CategoryDictionary dictionary, Rules rules) {
      this.features = features;
      this.dictionary = dictionary;
      this.rules = rules;
    }

    FeatureDecoder compile(Schema writer) throws MalformedRecordException {
      Set<String> names = new HashSet<>();
      Map<String, List<Integer>> slots = new LinkedHashMap<>();
      for (int slot = 0; slot < features.size(); slot++) {
        String name = features.get(slot).name();
        if (!names.add(name)) {
          throw new IllegalArgumentException("every feature must have a name of its own: " + name);
        }
        slots.computeIfAbsent(DatePart.path(name), path -> new ArrayList<>()).add(slot);
      }
      Map<String, BodyPlan.LeafFactory<double[]>> leaves = new HashMap<>();
      slots.forEach((path, of) -> leaves.put(path, type -> leaf(path, type, of)));
      BodyPlan<double[]> plan = BodyPlan.compile(writer, leaves);
      List<String> absent =
          features.stream()
              .map(Feature::name)
              .filter(name -> !plan.found().contains(DatePart.path(name)))
              .toList();
      return new FeatureDecoder(plan, features.size(), absent);
    }

    private Step<double[]> leaf(String path, Schema type, List<Integer> slots)
        throws MalformedRecordException {
      int slot = slots.getFirst();
      if (slots.size() > 1 || DatePart.in(features.get(slot).name()) != null) {
        return parts(path, type, slots);
      }
      return switch (features.get(slot)) {
        case Feature.Numeric numeric -> number(numeric, type, slot, rules.missing());
        case Feature.Categorical categorical -> category(categorical, type, slot);
      };
    }

    /** Parts of one date or time, and that itself if it is a feature, too. */
    private Step<double[]> parts(String path, Schema type, List<Integer> slots)
        throws MalformedRecordException {
      if (FieldType.of(type) != FieldType.TIME) {
        throw incompatible(path, type, "a date or time");
      }
      long unit = FieldType.millisPerUnit(type);
      int[] places = slots.stream().mapToInt(Integer::intValue).toArray();
      @Nullable DatePart[] parts = new @Nullable DatePart[places.length];
      for (int i = 0; i < places.length; i++) {
        parts[i] = DatePart.in(features.get(places[i]).name());
      }
      return (in, target) -> {
        double milliseconds = FieldType.millis(in.readLong(), unit);
        for (int i = 0; i < places.length; i++) {
          DatePart part = parts[i];
          target[places[i]] =
              part == null ? milliseconds : part.of((long) Math.floor(milliseconds));
        }
      };
    }

    private Step<double[]> category(Feature.Categorical feature, Schema type, int slot)
        throws MalformedRecordException {
      CategoryCodes codes =
          new CategoryCodes(
              dictionary == null
                  ? new CategoryTable(feature.categories())
                  : dictionary.table(feature),
              dictionary != null,
              feature.otherCategory() ? feature.categories().size() : UNSEEN,
              slot,
              rules);
      return switch (FieldType.of(type)) {
        case STRING -> {
          // Made once, not for each record: it captures nothing of the record.
          BodyReader.TextVisitor<double[]> visitor =
              (bytes, from, length, target) -> target[slot] = codes.value(bytes, from, length);
          yield (in, target) -> in.readText(visitor, target);
        }
        case ENUM -> symbol(type.getEnumSymbols(), codes, slot);
        case BOOLEAN -> truth(codes, slot);
        case WHOLE ->
            type.getType() == Schema.Type.INT
                ? (in, target) -> target[slot] = codes.value(Integer.toString(in.readInt()))
                : (in, target) -> target[slot] = codes.value(Long.toString(in.readLong()));
        case REAL ->
            type.getType() == Schema.Type.FLOAT
                ? (in, target) -> target[slot] = codes.value(in.readFloat())
                : (in, target) -> target[slot] = codes.value(in.readDouble());
        case DECIMAL -> {
          DecimalReader decimals = decimals(type);
          yield (in, target) -> target[slot] = codes.value(CategoryText.of(decimals.read(in)));
        }
        case UUID -> (in, target) -> target[slot] = codes.value(FieldType.uuid(in));
        case TIME, UNUSABLE -> throw incompatible(feature.name(), type, "a category");
      };
    }

    /** Symbols that are looked up once, but for those that are to be learned or told of. */
    private static Step<double[]> symbol(List<String> symbols, CategoryCodes codes, int slot) {
      int count = symbols.size();
      double[] known = codes.growing() ? new double[0] : codes.known(symbols);
      return (in, target) -> {
        int symbol = in.readIndex(count);
        double code = known.length == 0 ? Double.NaN : known[symbol];
        target[slot] = Double.isNaN(code) ? codes.value(symbols.get(symbol)) : code;
      };
    }

    private static Step<double[]> truth(CategoryCodes codes, int slot) {
      List<String> names = List.of("false", "true");
      double[] known = codes.growing() ? new double[] {Double.NaN, Double.NaN} : codes.known(names);
      return (in, target) -> {
        int truth = in.readBoolean() ? 1 : 0;
        double code = known[truth];
        target[slot] = Double.isNaN(code) ? codes.value(names.get(truth)) : code;
      };
    }
  }

  private static Step<double[]> number(
      Feature.Numeric feature, Schema type, int slot, MissingWords missing)
      throws MalformedRecordException {
    FieldType fieldType = FieldType.of(type);
    if (!fieldType.numeric()) {
      throw incompatible(feature.name(), type, "a number");
    }
    Step<double[]> step = plainNumber(fieldType, type, slot);
    if (!missing.hasNumbers() && !feature.zeroMissing()) {
      return step;
    }
    double largestZero = feature.zeroMissing() ? Feature.Numeric.LARGEST_ZERO : -1;
    return (in, target) -> {
      step.read(in, target);
      if (Math.abs(target[slot]) <= largestZero || missing.isMissing(target[slot])) {
        target[slot] = Double.NaN;
      }
    };
  }

  private static Step<double[]> plainNumber(FieldType fieldType, Schema type, int slot) {
    if (fieldType == FieldType.TIME) {
      long unit = FieldType.millisPerUnit(type);
      return (in, features) -> features[slot] = FieldType.millis(in.readLong(), unit);
    }
    if (fieldType == FieldType.DECIMAL) {
      DecimalReader decimals = decimals(type);
      return (in, features) -> {
        double number = decimals.readDouble(in);
        features[slot] = number;
        if (Math.abs(number) >= MOST_EXACT) {
          in.mark(slot);
        }
      };
    }
    return switch (type.getType()) {
      case INT -> (in, features) -> features[slot] = in.readInt();
      case LONG ->
          (in, features) -> {
            long number = in.readLong();
            features[slot] = number;
            if (number > MOST_EXACT || number < -MOST_EXACT) {
              in.mark(slot);
            }
          };
      case FLOAT -> (in, features) -> features[slot] = in.readFloat();
      case DOUBLE -> (in, features) -> features[slot] = in.readDouble();
      default -> (in, features) -> features[slot] = in.readBoolean() ? 1 : 0;
    };
  }

  private static DecimalReader decimals(Schema type) {
    return Objects.requireNonNull(DecimalReader.of(type), "what is a decimal has a reader");
  }

  private static MalformedRecordException incompatible(String name, Schema type, String wanted) {
    return new MalformedRecordException(
        Reason.INCOMPATIBLE_SCHEMA,
        Sentence.of(
            "field %s is %s in the record's schema, which cannot be %s, as the model needs",
            name, FieldType.describe(type), wanted));
  }
}
