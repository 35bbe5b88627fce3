package io.holdfast.schemas.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class BySchemaTest {
  private final AtomicInteger made = new AtomicInteger();
  private final BySchema<Integer> numbers = new BySchema<>(schema -> made.incrementAndGet());

  @Test
  void schemaOfTheSameFieldsAndAliases_isTheSame() {
    assertThat(numbers.get(schema("amount2", "amount"))).isEqualTo(1);
    assertThat(numbers.get(schema("amount2", "amount"))).isEqualTo(1);
    assertThat(numbers.get(schema("amount"))).isEqualTo(2);
    assertThat(numbers.schemas()).hasSize(2);
  }

  @Test
  void schemaThatIsGivenAnAlias_isAnother() {
    assertThat(numbers.get(schema("amount2"))).isEqualTo(1);
    assertThat(numbers.get(schema("amount2", "amount"))).isEqualTo(2);
    assertThat(numbers.get(schema("amount2", "amount"))).isEqualTo(2);
    assertThat(numbers.schemas()).hasSize(1);
  }

  /** Neither Avro's fingerprint nor equality tells them apart: what this class is for. */
  @Test
  void aliases_areNoPartOfFingerprintAndEquality() {
    assertThat(schema("amount2", "amount")).isEqualTo(schema("amount2"));
    assertThat(Fingerprint.of(schema("amount2", "amount")))
        .isEqualTo(Fingerprint.of(schema("amount2")));
    assertThat(FieldAliases.same(schema("amount2", "amount"), schema("amount2"))).isFalse();
  }

  private static Schema schema(String field, String... aliases) {
    String more = aliases.length == 0 ? "" : "\"aliases\": [\"" + aliases[0] + "\"], ";
    return SchemaFile.parse(
        String.format(
            Locale.ROOT,
            """
            {"type": "record", "name": "Sale", "fields": [
              {"name": "shop", "type": ["null", {"type": "record", "name": "Shop", "fields": [
                {%s"name": "%s", "type": "int"}]}]}]}
            """,
            more,
            field));
  }
}
