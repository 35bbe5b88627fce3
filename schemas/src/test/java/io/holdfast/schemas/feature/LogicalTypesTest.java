package io.holdfast.schemas.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.CategoryText;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.avro.Conversions;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/** Decimals are the nearest double, however they are written, and UUIDs their text. */
class LogicalTypesTest {
  private static final Conversions.DecimalConversion DECIMALS = new Conversions.DecimalConversion();
  private static final Conversions.BigDecimalConversion BIG =
      new Conversions.BigDecimalConversion();

  @Property(tries = 300)
  void decimal_ofAnyEncoding_isTheDoubleOfItsText(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int precision)
      throws MalformedRecordException {
    SplittableRandom random = new SplittableRandom(seed);
    int scale = random.nextInt(precision + 1);
    int digits = random.nextInt(1, precision + 1);
    StringBuilder unscaled = new StringBuilder(random.nextBoolean() ? "-" : "");
    random.ints(digits, 0, 10).forEach(unscaled::append);
    BigDecimal value = new BigDecimal(new BigInteger(unscaled.toString()), scale);
    for (Encoded one : encoded(value, precision, scale)) {
      assertThat(number(one)).isEqualTo(Double.parseDouble(value.toString()));
      assertThat(category(one))
          .isEqualTo(
              value.stripTrailingZeros().scale() <= 0
                      && value.abs().compareTo(new BigDecimal("1e40")) < 0
                  ? value.toBigInteger().toString()
                  : CategoryText.of(Double.parseDouble(value.toString())));
      assertThat(field(one)).isInstanceOfAny(Double.class, Long.class);
      assertThat(((Number) field(one)).doubleValue()).isEqualTo(value.doubleValue());
    }
  }

  @Example
  void wholeDecimalsBeyondDoubles_areCategoriesOfTheirOwn() throws MalformedRecordException {
    for (String id : List.of("9007199254740993", "12345678901234567891")) {
      for (Encoded one : encoded(new BigDecimal(id), 20, 0)) {
        assertThat(category(one)).isEqualTo(id);
      }
    }
    assertThat(FieldDecoder.environment(field(encoded(new BigDecimal("7.00"), 9, 2).getFirst())))
        .isEqualTo("7");
  }

  @Example
  void decimalBeyondAllDoubles_isMalformed() {
    Schema type = LogicalTypes.bigDecimal().addToSchema(Schema.create(Schema.Type.BYTES));
    for (String text : List.of("1e400", "-1e2000000000")) {
      ByteBuffer bytes = BIG.toBytes(new BigDecimal(text), type, type.getLogicalType());
      assertThatExceptionOfType(MalformedRecordException.class)
          .isThrownBy(() -> number(new Encoded(type, bytes)))
          .withMessage("a decimal is beyond the numbers of 64 bits, about ±1.8e308");
    }
  }

  @Example
  void decimalOfNoBytes_orWrongLength_isMalformed() {
    Schema type = LogicalTypes.decimal(9, 2).addToSchema(Schema.create(Schema.Type.BYTES));
    assertThatExceptionOfType(MalformedRecordException.class)
        .isThrownBy(() -> number(new Encoded(type, ByteBuffer.allocate(0))))
        .withMessage("a decimal has 0 bytes, not 1 to 1,024");
    assertThatExceptionOfType(MalformedRecordException.class)
        .isThrownBy(() -> number(new Encoded(type, ByteBuffer.allocate(1_025))))
        .withMessage("a decimal has 1,025 bytes, not 1 to 1,024");
    Schema big = LogicalTypes.bigDecimal().addToSchema(Schema.create(Schema.Type.BYTES));
    assertThatExceptionOfType(MalformedRecordException.class)
        .isThrownBy(() -> number(new Encoded(big, ByteBuffer.wrap(new byte[] {2, 7, 0, 0}))))
        .withMessage("a decimal takes 3 bytes and claims 4");
  }

  @Example
  void uuidInBytes_isACategory_asItsTextIs() throws MalformedRecordException {
    UUID uuid = UUID.fromString("0123f567-e89b-12d3-a456-426614174000");
    Schema type = LogicalTypes.uuid().addToSchema(Schema.createFixed("U", null, null, 16));
    byte[] bytes =
        ByteBuffer.allocate(16)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array();
    Encoded one = new Encoded(type, new GenericData.Fixed(type, bytes));
    assertThat(category(one)).isEqualTo(uuid.toString());
    assertThat(field(one)).isEqualTo(uuid.toString());
  }

  private record Encoded(Schema type, Object value) {
    Schema schema() {
      return Schema.createRecord(
          "R", null, null, false, List.of(new Schema.Field("d", type, null, (Object) null)));
    }

    byte[] bytes() {
      GenericRecord row = new GenericData.Record(schema());
      row.put("d", value);
      return RandomRecords.encode(row);
    }
  }

  private static List<Encoded> encoded(BigDecimal value, int precision, int scale) {
    LogicalTypes.Decimal logical = LogicalTypes.decimal(precision, scale);
    Schema bytes = logical.addToSchema(Schema.create(Schema.Type.BYTES));
    Schema fixed = logical.addToSchema(Schema.createFixed("F", null, null, 32));
    Schema big = LogicalTypes.bigDecimal().addToSchema(Schema.create(Schema.Type.BYTES));
    return List.of(
        new Encoded(bytes, DECIMALS.toBytes(value, bytes, logical)),
        new Encoded(fixed, DECIMALS.toFixed(value, fixed, logical)),
        new Encoded(big, BIG.toBytes(value, big, big.getLogicalType())));
  }

  private static double number(Encoded one) throws MalformedRecordException {
    double[] vector = new double[1];
    FeatureDecoder.compile(one.schema(), List.of(new Feature.Numeric("d")))
        .decode(one.bytes(), 0, vector);
    return vector[0];
  }

  private static String category(Encoded one) throws MalformedRecordException {
    CategoryDictionary dictionary =
        new CategoryDictionary(List.of(new Feature.Categorical("d", List.of())));
    FeatureDecoder.compile(
            one.schema(), dictionary.features(), FeatureDecoder.Rules.USUAL, dictionary)
        .decode(one.bytes(), 0, new double[1]);
    return ((Feature.Categorical) dictionary.features().getFirst()).categories().getFirst();
  }

  private static Object field(Encoded one) throws MalformedRecordException {
    Object value = FieldDecoder.compile(one.schema(), List.of("d")).decode(one.bytes(), 0)[0];
    return java.util.Objects.requireNonNull(value);
  }
}
