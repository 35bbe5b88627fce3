package io.holdfast.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
  @Test
  void otherLetters_areComparedAsLettersAre() {
    assertThat(Suggestion.closest("收人", List.of("年龄", "收入"))).contains("收入");
    assertThat(Suggestion.closest("价格", List.of("年龄", "收入"))).isEmpty();
    assertThat(Suggestion.closest("x", List.of("y", "X"))).contains("X");
    assertThat(Suggestion.closest("x", List.of("y", "z"))).isEmpty();
  }

  private static final List<String> KEYS =
      List.of("rounds", "learningRate", "maxLeaves", "maxDepth", "minRows");

  @ParameterizedTest
  @CsvSource({
    "round,rounds",
    "learning-rate,learningRate",
    "MAXLEAVES,maxLeaves",
    "maxLaeves,maxLeaves",
    "minrow,minRows",
    "max_depth,maxDepth"
  })
  void closest_smallMistake_findsTheWord(String word, String expected) {
    assertThat(Suggestion.closest(word, KEYS)).contains(expected);
  }

  @Test
  void closest_farWord_findsNothing() {
    assertThat(Suggestion.closest("colour", KEYS)).isEmpty();
    assertThat(Suggestion.closest("", KEYS)).isEmpty();
    assertThat(Suggestion.ending("colour", KEYS)).isEmpty();
    assertThat(Suggestion.ending("rouns", KEYS)).isEqualTo("; did you mean rounds?");
  }
}
