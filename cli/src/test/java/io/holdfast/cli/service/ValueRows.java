package io.holdfast.cli.service;

import io.holdfast.schemas.wire.SchemaFile;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** The rows of the table in docs/values.md. */
final class ValueRows {
  static final long EVEN = 1L << 53;
  static final String DAY = "2026-01-05T08:30:00Z";
  static final long MILLIS = Instant.parse(DAY).toEpochMilli();

  static final Schema ROW = schema("{\"name\": \"x\", \"type\": [\"null\", \"double\"]},");
  static final Schema WITHOUT_X = schema("");
  static final Schema TEXT_X = schema("{\"name\": \"x\", \"type\": [\"null\", \"string\"]},");

  static Schema schema(String x) {
    return SchemaFile.parse(
        String.format(
            Locale.ROOT,
            """
            {"type": "record", "name": "Row", "fields": [
              {"name": "shop", "type": ["null", "string"]},
              {"name": "flag", "type": ["null", "string"]},
              {"name": "id", "type": ["null", "long"]},
              %s
              {"name": "open", "type": ["null", "boolean"]},
              {"name": "n", "type": ["null", "long"]},
              {"name": "at", "type": ["null", {"type": "long", "logicalType": "timestamp-millis"}]},
              {"name": "price", "type": ["null",
                {"type": "bytes", "logicalType": "decimal", "precision": 12, "scale": 2}]},
              {"name": "y", "type": ["null", "double"], "default": null}]}
            """,
            x));
  }

  private ValueRows() {}

  /** A row that is like all others but in one field. */
  record Row(
      @Nullable String field,
      @Nullable Object csv,
      @Nullable Object avro,
      @Nullable Object json,
      Schema schema) {
    static final Row USUAL = new Row(null, null, null, null, ROW);

    static Row of(
        String field, @Nullable Object csv, @Nullable Object avro, @Nullable Object json) {
      return new Row(field, csv, avro, json, ROW);
    }
  }

  /** A value that is to be the same in all four, as another row in an Avro file is. */
  record Same(String name, Row row, Row as, Said said) {}

  /** What is to be said of a value, beside the prediction; empty is nothing. */
  record Said(String csv, String avro, String json) {
    static final Said NOTHING = new Said("", "", "[][][]");
  }

  /** A value that is refused, with what is said; null where there is no such value. */
  record Refused(
      String name,
      Row row,
      @Nullable String csv,
      @Nullable String avro,
      @Nullable String stream,
      @Nullable String json) {}

  static List<Same> sames() {
    List<Same> sames = new ArrayList<>();
    for (String field : List.of("shop", "flag", "id", "x", "open", "n", "at", "price")) {
      Row missing = Row.of(field, "", null, null);
      sames.add(new Same("missing " + field, missing, missing, Said.NOTHING));
    }
    Row noX = Row.of("x", "", null, null);
    for (String word : List.of("NA", "NaN", "null", "?", "-", "  ")) {
      sames.add(
          new Same("missing " + word, Row.of("x", word, Double.NaN, null), noX, Said.NOTHING));
    }
    Row noShop = Row.of("shop", "", null, null);
    sames.add(new Same("blank", Row.of("shop", "  ", " ", " "), noShop, Said.NOTHING));
    sames.add(
        new Same(
            "unseen",
            Row.of("shop", "99", "99", "99"),
            noShop,
            new Said(
                "column shop are categories", "column shop are categories", "[][\"shop\"][]")));
    for (String shop : List.of("2", " 2 ", "2.0", "+2", "2.")) {
      sames.add(
          new Same("shop " + shop, Row.of("shop", shop, shop, shop), Row.USUAL, Said.NOTHING));
    }
    for (String flag : List.of("true", "True", "TRUE", " TRUE")) {
      sames.add(
          new Same("flag " + flag, Row.of("flag", flag, flag, flag), Row.USUAL, Said.NOTHING));
      sames.add(
          new Same("open " + flag, Row.of("open", flag, true, true), Row.USUAL, Said.NOTHING));
    }
    sames.add(new Same("padded", Row.of("x", "  50 ", 50.0, 50), Row.USUAL, Said.NOTHING));
    sames.add(new Same("exponent", Row.of("x", "5e1", 50.0, 5e1), Row.USUAL, Said.NOTHING));
    for (String day : List.of(DAY, "2026-01-05 08:30", "2026-01-05T09:30:00+01:00")) {
      sames.add(new Same("at " + day, Row.of("at", day, MILLIS, day), Row.USUAL, Said.NOTHING));
    }
    sames.add(new Same("at number", Row.of("at", DAY, MILLIS, MILLIS), Row.USUAL, Said.NOTHING));
    sames.add(
        new Same(
            "decimal",
            Row.of("price", "12.50", decimal("12.50"), new BigDecimal("12.5")),
            Row.USUAL,
            Said.NOTHING));
    sames.add(
        new Same(
            "beyond 2^53",
            Row.of("n", EVEN + 1, EVEN + 1, EVEN + 1),
            Row.of("n", EVEN, EVEN, EVEN),
            new Said("", "", "[][][\"n\"]")));
    sames.add(
        new Same(
            "category beyond 2^53",
            Row.of("id", EVEN + 1, EVEN + 1, EVEN + 1),
            Row.of("id", EVEN + 1, EVEN + 1, EVEN + 1),
            Said.NOTHING));
    return sames;
  }

  static List<Refused> refusals() {
    return List.of(
        new Refused(
            "out of range",
            Row.of("x", "1e400", null, new BigDecimal("1e400")),
            "column x has 1e400, which is beyond all numbers of 64 bits",
            null,
            null,
            "field x must be within the numbers of 64 bits"),
        new Refused(
            "malformed number",
            new Row("x", "oops", "oops", "oops", TEXT_X),
            "line 2: column x has oops, which is no number",
            "x is string",
            "field x is string in the record's schema, which cannot be a number",
            "field x must be a number or null: \"oops\""),
        new Refused(
            "malformed date",
            Row.of("at", "yesterday", null, "yesterday"),
            "line 2: column at has yesterday, which is no ",
            null,
            null,
            "field at must be an ISO 8601 date or time"),
        new Refused(
            "malformed truth",
            Row.of("open", "perhaps", null, "perhaps"),
            "line 2: column open has perhaps",
            null,
            null,
            "field open must be true or false"),
        new Refused(
            "infinity of a request",
            Row.of("x", null, null, Double.POSITIVE_INFINITY),
            null,
            null,
            null,
            "the body is not JSON"),
        new Refused(
            "absent",
            new Row("x", null, null, null, WITHOUT_X),
            "lacks 1 of the 8 columns",
            "lacks 1 of the 8 columns",
            null,
            null));
  }

  static Map<String, @Nullable Object> cells() {
    Map<String, @Nullable Object> cells = new LinkedHashMap<>();
    cells.put("shop", "2");
    cells.put("flag", "true");
    cells.put("id", EVEN + 2);
    cells.put("x", 50.0);
    cells.put("open", true);
    cells.put("n", 5L);
    cells.put("at", MILLIS);
    cells.put("price", decimal("12.50"));
    return cells;
  }

  static ByteBuffer decimal(String text) {
    return ByteBuffer.wrap(new BigDecimal(text).unscaledValue().toByteArray());
  }

  static String text(ByteBuffer decimal) {
    byte[] unscaled = new byte[decimal.remaining()];
    decimal.duplicate().get(unscaled);
    return new BigDecimal(new BigInteger(unscaled), 2).toPlainString();
  }
}
