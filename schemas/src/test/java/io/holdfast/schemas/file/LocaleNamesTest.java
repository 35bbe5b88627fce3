package io.holdfast.schemas.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LocaleNamesTest {
  @Test
  void nameThatTheLocaleCannotSpell_isASentence() {
    List<String> given = List.of("--config", "gr\uFFFD\uFFFDe.yml");
    assertThat(LocaleNames.problem(given, "ANSI_X3.4-1968"))
        .isEqualTo(
            "gr\uFFFD\uFFFDe.yml has letters that the charset of the locale, ANSI_X3.4-1968, lacks:"
                + " start with LC_ALL=C.UTF-8, or by the launcher holdfast, which sees to it");
    assertThat(LocaleNames.problem(given, "UTF-8")).isNull();
    assertThat(LocaleNames.problem(List.of("größe.yml", "b"), "ISO-8859-1")).isNull();
  }
}
