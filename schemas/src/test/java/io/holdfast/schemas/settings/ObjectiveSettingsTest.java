package io.holdfast.schemas.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.anchor.AnchorDesign;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.objective.Absolute;
import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.Exponential;
import io.holdfast.boosting.objective.Gamma;
import io.holdfast.boosting.objective.Huber;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.OrdinalLink;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Quantile;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Tweedie;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectiveSettingsTest {

  static Stream<Arguments> objectives() {
    return Stream.of(
        Arguments.of("objective: absolute", new Absolute(), ""),
        Arguments.of("objective: huber, delta: 1.5", new Huber(1.5), ",\"delta\":1.5"),
        Arguments.of("objective: quantile, alpha: 0.9", new Quantile(0.9), ",\"alpha\":0.9"),
        Arguments.of("objective: exponential", new Exponential(), ""),
        Arguments.of("objective: softmax, classes: 7", new Softmax(7), ",\"classes\":7"),
        Arguments.of(
            "objective: softmax, classes: red;7;true",
            new Softmax(3),
            ",\"classes\":[\"red\",\"7\",\"true\"]"),
        Arguments.of(
            "objective: exponential, classes: yes;no",
            new Exponential(),
            ",\"classes\":[\"yes\",\"no\"]"),
        Arguments.of(
            "objective: ordinal, classes: 5",
            new Ordinal(5, OrdinalLink.LOGIT),
            ",\"classes\":5,\"link\":\"logit\""),
        Arguments.of(
            "objective: ordinal, classes: 5, link: probit",
            new Ordinal(5, OrdinalLink.PROBIT),
            ",\"classes\":5,\"link\":\"probit\""),
        Arguments.of("objective: beta", Beta.ofEstimatedPrecision(), ",\"precision\":\"auto\""),
        Arguments.of(
            "objective: beta, precision: auto",
            Beta.ofEstimatedPrecision(),
            ",\"precision\":\"auto\""),
        Arguments.of("objective: beta, precision: 30", Beta.ofPrecision(30), ",\"precision\":30"),
        Arguments.of("objective: gamma", new Gamma(), ""),
        Arguments.of("objective: poisson", new Poisson(), ""),
        Arguments.of("objective: tweedie", new Tweedie(1.5), ",\"power\":1.5"),
        Arguments.of("objective: tweedie, power: 1.2", new Tweedie(1.2), ",\"power\":1.2"));
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void objective_withItsParameters_isReadAndWrittenToTheManifest(
      String keys, Objective expected, String json) {
    ModelSettings settings = settings(keys);

    assertThat(settings.booster().objective()).isEqualTo(expected).isEqualTo(expected.unfitted());
    assertThat(settings.trainingJson())
        .startsWith("{\"objective\":\"" + expected.name() + "\"" + json + ",\"gamma\":1,\"trees\"");
    assertThat(ModelSettings.ofTrainingJson("m", settings.trainingJson())).isEqualTo(settings);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "objective: softmax, classes: 3, gamma: 4, anchors: a;b, anchorIntercept: false,"
            + " trees.multiclass: vector, trees.sampling.rows: 0.5, base: linear",
        "objective: logistic, environment: e, trees.interactions: a.b=one;c=two;d=one,"
            + " trees.stopAfter: 5, trees.stopBy: worst, classWeights: 1;2.5",
        "objective: squared, environment: e, anchorSplits: true, weight: w, time: t, id: i,"
            + " trees.monotone: a.b=increasing;c=-1, features.include: a.b;c, trees.lambda1: 0.5",
      })
  void trainingJson_isReadBack(String keys) {
    ModelSettings settings = settings(keys);

    assertThat(ModelSettings.ofTrainingJson("m", settings.trainingJson())).isEqualTo(settings);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{", "7", "{}"})
  void trainingJson_thatSaysNoModel_isRefusedInASentence(String json) {
    assertThat(
            catchThrowableOfType(
                SettingsException.class, () -> ModelSettings.ofTrainingJson("m", json)))
        .hasMessageMatching("(?s).*(are not JSON|objective is missing).*");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "objective: huber | delta is missing: the objective huber needs it, the size of error, in"
            + " the unit of the label, from which on errors count linearly and no longer squared",
        "objective: quantile | alpha is missing: the objective quantile needs it, the share of"
            + " labels that are to be below the prediction",
        "objective: softmax | classes is missing: the objective softmax needs it, their names, or"
            + " how many there are where labels are 0, 1, ...",
        "objective: ordinal, classes: 1 | classes must be a whole number from 2 to 1000, or a list"
            + " of names: 1",
        "objective: softmax, classes: 1001 | classes must be a whole number from 2 to 1000, or a"
            + " list of names: 1001",
        "objective: logistic, classes: a;b;c | classes must be two names: a, b, c",
        "objective: softmax, classes: a;b;a | classes must be names of which each is another: a, b,"
            + " a",
        "objective: squared, classes: a;b | classes has no meaning for the objective squared: leave"
            + " it out, or set objective to softmax or ordinal",
        "objective: ordinal, classes: 3, link: logti | link must be one of logit, probit: logti;"
            + " did you mean logit?",
        "objective: huber, delta: 0 | delta must be a number above 0, in the unit of the label: 0",
        "objective: quantile, alpha: 1 | alpha must be a number above 0 and below 1: 1",
        "objective: tweedie, power: 2 | power must be a number above 1 and below 2: 2",
        "objective: beta, precision: off | precision must be a number above 0, or auto: off",
        "objective: squared, delta: 1 | delta has no meaning for the objective squared: leave it"
            + " out, or set objective to huber",
        "objective: poisson, classes: 3 | classes has no meaning for the objective poisson: leave"
            + " it out, or set objective to softmax or ordinal",
        "objective: absolute, gamma: 7 | gamma must be 1 for the objective absolute, whose gradient"
            + " has no slope for an anchor to work on; take huber for a robust loss that has: 7",
        "objective: quantile, alpha: 0.5, gamma: 0 | gamma must be 1 for the objective quantile,"
            + " whose gradient has no slope for an anchor to work on; take huber for a robust loss"
            + " that has: 0",
        "objective: squared, trees.multiclass: vector | trees.multiclass has no meaning for the"
            + " objective squared, which has one raw score: leave it out",
        "objective: softmax, classes: 1000, trees.multiclass: vector, trees.maxLeaves: 64 |"
            + " trees.maxLeaves must be at most 50 with 1000 classes and trees.multiclass vector,"
            + " for a tree is to fit a record: 64",
        "objective: softmax, classes: 3, trees.monotone: a=1 | trees.monotone has no meaning for"
            + " the objective softmax, which has a raw score a class: leave it out",
        "objective: squared, trees.monotone: a=up | trees.monotone must be increasing or decreasing"
            + " for each feature: a is up",
        "objective: squared, trees.interactions: a=one;b | trees.interactions must be a group for"
            + " each feature: b is ''",
        "objective: squared, classWeights: 1;2 | classWeights has no meaning for the objective"
            + " squared, which has no classes: leave it out",
        "objective: logistic, classWeights: 1;0 | classWeights must be a number above 0 for each of"
            + " the 2 classes: 1, 0",
        "objective: softmax, classes: 3, classWeights: 1;2 | classWeights must be a number above 0"
            + " for each of the 3 classes: 1, 2",
        "objective: squared, trees.stopBy: worst | trees.stopBy has no meaning unless"
            + " trees.stopAfter is above 0: leave it out",
        "objective: squared, trees.sampling.rows: 0 | trees.sampling.rows must be a number above 0,"
            + " at most 1: 0",
        "objective: squared, linear.strength: 2 | linear has no meaning while base is constant:"
            + " leave it out, or set base to linear",
        "objective: squared, anchorIntercept: false | anchorIntercept has no meaning without"
            + " anchors alone: environments are their own intercept, so leave it out",
        "objective: squared, anchors: a, anchorSplits: true | anchorSplits works with environments"
            + " alone, not with anchors: leave one of them out",
        "objective: softmax, classes: 3, anchorSplits: true | anchorSplits has no meaning for the"
            + " objective softmax, which has a raw score a class: leave it out",
        "objective: squared, anchorSplits: maybe | anchorSplits must be one of true, false: maybe",
        "objective: squared, anchors: y | anchors names the label y: an anchor is what may shift,"
            + " not what is predicted, so take it out",
        "objective: softmax, classes: 3, trees.multiclass: perClass, update.maxTrees: 29 |"
            + " update.maxTrees must be at least trees.rounds times the 3 classes, which is 30: 29",
        "objective: squared, threads: 0 | threads must be a whole number from 1 to 256: 0",
      })
  void mistake_saysKeyValueAndRemedy(String keys, String expected) {
    SettingsException problem = catchThrowableOfType(SettingsException.class, () -> settings(keys));

    assertThat(problem.problems()).containsExactly(expected);
  }

  @Test
  void anchors_decideTheDesign() {
    assertThat(design("objective: squared, environment: e"))
        .isEqualTo(new AnchorDesign.Environments());
    assertThat(design("objective: squared, anchors: a"))
        .isEqualTo(new AnchorDesign.Continuous(true));
    assertThat(design("objective: squared, anchors: a, anchorIntercept: false"))
        .isEqualTo(new AnchorDesign.Continuous(false));
    assertThat(design("objective: squared, anchors: a, environment: e"))
        .isEqualTo(new AnchorDesign.Mixed());
  }

  @Test
  void trees_ofSeveralClasses_areAChoiceWithABudgetOfTheirOwn() {
    ModelSettings perClass = settings("objective: softmax, classes: 4, trees.multiclass: perClass");
    ModelSettings vector = settings("objective: softmax, classes: 4");

    assertThat(perClass.booster().multiclass()).isEqualTo(MulticlassTrees.PER_CLASS);
    assertThat(perClass.treesOfUpdate()).isEqualTo(40);
    assertThat(perClass.update().maxTrees()).isEqualTo(2_000);
    assertThat(vector.booster().multiclass()).isEqualTo(MulticlassTrees.VECTOR);
    assertThat(vector.treesOfUpdate()).isEqualTo(10);
    assertThat(vector.update().maxTrees()).isEqualTo(500);
  }

  @Test
  void flags_ofMonotoneFeatures_areOneText() {
    BoosterSettings booster =
        settings("objective: squared, trees.monotone: a.b=increasing;c=-1;d=+1").booster();

    assertThat(booster.monotone()).isEqualTo(Map.of("a.b", 1, "c", -1, "d", 1));
  }

  @Test
  void trainingJson_holdsWhatIsNotAtItsDefault() {
    String json =
        settings(
                "objective: softmax, classes: 3, gamma: 4, anchors: a;b, trees.lambda1: 0.5,"
                    + " trees.leafPrice: 0.25, trees.sampling.rows: 0.5, trees.multiclass:"
                    + " perClass, anchorIntercept: false, base: linear, threads: 4")
            .trainingJson();

    assertThat(json)
        .contains("\"gamma\":4,\"anchors\":[\"a\",\"b\"],\"anchorIntercept\":false,\"trees\"")
        .contains(
            "\"lambda\":1,\"lambda1\":0.5,\"leafPrice\":0.25,"
                + "\"sampling\":{\"rows\":0.5,\"features\":1},\"multiclass\":\"perClass\",\"maxBins\"")
        .contains("\"base\":\"linear\",\"linear\":{\"strength\":1,\"l1Ratio\":0},\"seed\"")
        .doesNotContain("threads")
        .doesNotContain("anchorSplits");
    assertThat(settings("objective: squared, environment: e, anchorSplits: true").trainingJson())
        .contains("\"gamma\":1,\"anchorSplits\":true,\"trees\"");
    assertThat(settings("objective: squared, base: linear").booster().linearBase())
        .isEqualTo(new LinearBase(1, 0));
  }

  private static AnchorDesign design(String keys) {
    return settings(keys).booster().anchoring().design();
  }

  /** Keys as flags give them; within a value, a semicolon stands for a comma. */
  private static ModelSettings settings(String keys) {
    Map<String, String> values = new LinkedHashMap<>(Map.of("label", "y"));
    for (String pair : keys.split(", ", -1)) {
      List<String> parts = List.of(pair.split(": ", 2));
      values.put(parts.getFirst().strip(), parts.getLast().replace(';', ','));
    }
    return ModelSettings.of("m", values, key -> key);
  }
}
