package io.holdfast.scorer;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.CategoryText;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.feature.DatePart;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * Java values by name to the rows of one version. Immutable.
 *
 * <p>The values are written as a record of a schema made here, with a field a feature, and read by
 * the decoder of all records: what is missing and how a category is spelt is said there alone.
 */
final class NamedValues {
  private final List<Feature> features;
  private final Schema schema;
  private final FeatureDecoder decoder;
  private final GenericDatumWriter<GenericRecord> writer;

  NamedValues(LedgerVersion version) {
    features = version.model().features();
    List<Feature> renamed = new ArrayList<>();
    List<Schema.Field> fields = new ArrayList<>();
    for (Feature feature : features) {
      String field = "f" + fields.size();
      DatePart part = DatePart.in(feature.name());
      fields.add(new Schema.Field(field, Schema.createUnion(types(feature, part))));
      String name = part == null ? field : part.feature(field);
      renamed.add(
          switch (feature) {
            case Feature.Numeric numeric -> numeric.named(name);
            case Feature.Categorical categorical -> categorical.named(name);
          });
    }
    schema = Schema.createRecord("Values", null, "io.holdfast.scorer", false, fields);
    writer = new GenericDatumWriter<>(schema);
    try {
      decoder =
          FeatureDecoder.compile(schema, renamed, new FeatureDecoder.Rules(version.missingWords()));
    } catch (MalformedRecordException e) {
      throw new IllegalStateException("a field has the types of its feature", e);
    }
  }

  private static List<Schema> types(Feature feature, @Nullable DatePart part) {
    List<Schema> types = new ArrayList<>();
    types.add(Schema.create(Schema.Type.NULL));
    if (part != null) {
      types.add(LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG)));
      return types;
    }
    types.add(Schema.create(Schema.Type.BOOLEAN));
    types.add(Schema.create(Schema.Type.LONG));
    types.add(Schema.create(Schema.Type.FLOAT));
    types.add(Schema.create(Schema.Type.DOUBLE));
    if (feature instanceof Feature.Categorical) {
      types.add(Schema.create(Schema.Type.STRING));
    }
    return types;
  }

  double[] row(Map<String, ?> values) throws MalformedRecordException {
    GenericRecord record = new GenericData.Record(schema);
    for (int slot = 0; slot < features.size(); slot++) {
      Feature feature = features.get(slot);
      String path = DatePart.path(feature.name());
      Object value = values.get(path);
      if (value == null) {
        value = values.get(ColumnName.of(path));
      }
      if (value != null) {
        Object known = value(feature, value);
        if (known == null) {
          throw new MalformedRecordException(
              Reason.INVALID_VALUE,
              Sentence.of(
                  "the value of %s is a %s, and must be %s",
                  ColumnName.of(path), value.getClass().getSimpleName(), wanted(feature)));
        }
        record.put(slot, known);
      }
    }
    double[] row = new double[features.size()];
    decoder.decode(ContractCodec.body(256, out -> writer.write(record, out)), 0, row);
    return row;
  }

  /** The value as one of the types of its feature's field; null if it is none. */
  private static @Nullable Object value(Feature feature, Object value) {
    if (DatePart.in(feature.name()) != null) {
      Instant time = time(value);
      return time == null ? null : time.toEpochMilli();
    }
    return feature instanceof Feature.Categorical ? category(value) : number(value);
  }

  private static @Nullable Object number(Object value) {
    return switch (value) {
      case Boolean _, Long _, Float _, Double _ -> value;
      case Integer _, Short _, Byte _ -> ((Number) value).longValue();
      case BigDecimal _, BigInteger _ -> ((Number) value).doubleValue();
      default -> {
        Instant time = time(value);
        yield time == null ? null : milliseconds(time);
      }
    };
  }

  private static @Nullable Object category(Object value) {
    return switch (value) {
      case CharSequence _, UUID _, Enum<?> _ -> value.toString();
      case BigDecimal decimal -> CategoryText.of(decimal);
      case BigInteger whole -> whole.toString();
      default -> time(value) == null ? number(value) : null;
    };
  }

  private static @Nullable Instant time(Object value) {
    return switch (value) {
      case Instant instant -> instant;
      case LocalDateTime local -> local.toInstant(ZoneOffset.UTC);
      case LocalDate date -> date.atStartOfDay(ZoneOffset.UTC).toInstant();
      default -> null;
    };
  }

  /** As a timestamp in microseconds is read, which is what files and engines hold. */
  private static double milliseconds(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time) / 1_000.0;
  }

  private static String wanted(Feature feature) {
    if (DatePart.in(feature.name()) != null) {
      return "an Instant, LocalDate or LocalDateTime";
    }
    return feature instanceof Feature.Categorical
        ? "a text, number, boolean or UUID"
        : "a number, a boolean, or an Instant, LocalDate or LocalDateTime";
  }
}
