package io.holdfast.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.Normalizer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnNameTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          amount      | amount
          unit_price  | unit_price
          unit price  | unit_x0020_price
          标签        | _x6807__x7B7E_
          2nd         | _x0032_nd
          a.b         | a_x002E_b
          x_x0020_y   | x_x005F_x0020_y
          _x00        | _x00
          \uD83D\uDE00  | _x01F600_
          """)
  void field_ofAText_isItselfOrEscaped(String text, String field) {
    assertThat(ColumnName.field(text)).isEqualTo(field);
    assertThat(ColumnName.of(field)).isEqualTo(text);
  }

  @Test
  void text_ofAHeader_hasComposedAccentsAndNoSpacesAround() {
    assertThat(ColumnName.text("  cafe\u0301 crème\t")).isEqualTo("café crème");
  }

  @Test
  void path_ofSettings_takesFieldsAndTexts() {
    assertThat(ColumnName.path("station.id")).isEqualTo("station.id");
    assertThat(ColumnName.path("unit_x0020_price")).isEqualTo("unit_x0020_price");
    assertThat(ColumnName.path("unit price")).isEqualTo("unit_x0020_price");
    assertThat(ColumnName.path("station.名")).isEqualTo("station._x540D_");
  }

  @Property
  void field_ofAnyText_isAnAvroNameThatTheTextCanBeReadFrom(@ForAll("texts") String any) {
    String text = ColumnName.text(any);
    String field = ColumnName.field(text);
    if (!text.isEmpty()) {
      Schema.createEnum(field, null, null, java.util.List.of(field)); // throws if it is no name
    }
    assertThat(ColumnName.of(field)).isEqualTo(text);
    assertThat(ColumnName.path(field)).isEqualTo(field);
    assertThat(ColumnName.text(Normalizer.normalize(any, Normalizer.Form.NFD))).isEqualTo(text);
  }

  /** Texts of what escapes are made of, and others. */
  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> pieces =
        Arbitraries.of("_", "x", "_x", "0020", "_x0041_", "A", "f", " ", ".", "é", "标", "😀", "7");
    Arbitrary<String> anything = Arbitraries.strings().excludeChars('\0').ofMaxLength(3);
    return Arbitraries.oneOf(pieces, anything)
        .list()
        .ofMaxSize(8)
        .map(list -> String.join("", list))
        .filter(text -> text.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF));
  }
}
