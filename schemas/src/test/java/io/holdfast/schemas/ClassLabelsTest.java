package io.holdfast.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.schemas.ledger.SettingsFit;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClassLabelsTest {
  @ParameterizedTest
  @CsvSource({
    "'red,green,blue', green, 1",
    "'red,green,blue', ' blue ', 2",
    "'red,green,blue', 2, 2", // no name is a number, so it is the class's own
    "'red,green,blue', 3, -1",
    "'red,green,blue', Red, -1",
    "'-1,7,120', 7.0, 1",
    "'-1,7,120', 1, -1",
    "'007,7', 007, 0",
    "'007,7', 7, 1",
    "'false,true', TRUE, 1",
    "'false,true', 0, 0",
    "'no,yes', 1, 1",
  })
  void text_meansTheClassOfItsName(String names, String label, int number) {
    assertThat(ClassLabels.of(List.of(names.split(",", -1))).number(label)).isEqualTo(number);
  }

  @Test
  void decodedNumbers_meanTheClassThatIsNamedSo() {
    ClassLabels classes = ClassLabels.of(List.of("-1", "true", "9007199254740993"));

    assertThat(classes.number(-1.0)).isZero();
    assertThat(classes.number(1.0)).isEqualTo(1);
    assertThat(classes.number(9_007_199_254_740_993L)).isEqualTo(2);
    assertThat(classes.number(0.5)).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"red,green,blue", "-1,7,120", "false,true", "007,008"})
  void numberThatSaysAClass_meansIt(String names) {
    ClassLabels classes = ClassLabels.of(List.of(names.split(",", -1)));
    for (int k = 0; k < classes.names().size(); k++) {
      assertThat(classes.number(classes.spoken(k))).isEqualTo(k);
    }
  }

  @Test
  void twoSpellingsOfOneName_areRefused() {
    for (String names : List.of("1,1.0,2", "true,1,7", "0,x,false")) {
      assertThatThrownBy(() -> settings(names))
          .isInstanceOf(SettingsException.class)
          .hasMessage(
              "classes must be names of which each is another: " + names.replace(",", ", "));
    }
  }

  @Test
  void label_isThatOfTheLikeliestClass_ofTwoTheFirstAtOneHalf() {
    ClassLabels two = ClassLabels.of(List.of("no", "yes"));
    assertThat(two.label(new Logistic(), 0.5)).isEqualTo("no");
    assertThat(two.label(new Logistic(), 0.51)).isEqualTo("yes");
    assertThat(ClassLabels.of(List.of("a", "b", "c")).label(new Softmax(3), 2)).isEqualTo("c");
    assertThat(ClassLabels.NONE.label(new Softmax(3), 2)).isNull();
  }

  @Test
  void settings_mayNameClassesLater_andNotOtherwiseThanTheVersion() {
    ModelSettings counted = settings("3");
    ModelSettings named = settings("a,b,c");

    assertThat(SettingsFit.problem(named, version(counted))).isEmpty();
    assertThat(SettingsFit.problem(named, version(named))).isEmpty();
    assertThat(version(named).classes().names()).containsExactly("a", "b", "c");
    assertThat(SettingsFit.problem(settings("c,b,a"), version(named)).orElseThrow())
        .contains("classes is c, b, a, but version 0", "was trained with a, b, c");
    assertThat(SettingsFit.problem(counted, version(named)).orElseThrow())
        .contains("classes is no list of names");
  }

  private static ModelSettings settings(String classes) {
    return ModelSettings.of(
        "m", Map.of("objective", "softmax", "classes", classes, "label", "y"), key -> key);
  }

  private static LedgerVersion version(ModelSettings settings) {
    Model model = Booster.untrained(settings.booster(), List.of(new Feature.Numeric("x")));
    return LedgerCodec.encode(
            LedgerCodec.Draft.first("m", model, 1, 1, settings.trainingJson(), "test"))
        .version();
  }
}
