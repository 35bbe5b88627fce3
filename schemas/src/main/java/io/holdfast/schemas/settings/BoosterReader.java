package io.holdfast.schemas.settings;

import io.holdfast.boosting.Anchoring;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.HoldOut;
import io.holdfast.boosting.ada.AdaBoost;
import io.holdfast.boosting.ada.AdaBoost.Criterion;
import io.holdfast.boosting.anchor.AnchorDesign;
import io.holdfast.boosting.leaf.StepSize;
import io.holdfast.boosting.linear.Folds;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.objective.Exponential;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.Sampling;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.keys.ModelKeys;
import io.holdfast.schemas.settings.keys.TreeKeys;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what determines training beside the rows, and checks that it goes together. */
final class BoosterReader {
  /** Values of all leaves of one tree: with the rest it is to fit a segment of 512 KiB. */
  private static final int MOST_LEAF_VALUES = 50_000;

  private final Section model;
  private final List<String> anchors;

  /** A reader of {@code model}, whose continuous anchors have been read. */
  BoosterReader(Section model, List<String> anchors) {
    this.model = model;
    this.anchors = anchors;
  }

  BoosterSettings read() {
    Objective objective = new ObjectiveReader(model).read();
    Section trees = model.section("trees");
    AdaBoost votes = votes(objective, trees);
    TreeLimits limits =
        new TreeLimits(
            trees.read(TreeKeys.MAX_LEAVES),
            votes == null ? trees.read(TreeKeys.MAX_DEPTH) : trees.read(TreeKeys.DEPTH_OF_VOTES),
            trees.read(TreeKeys.MIN_ROWS),
            trees.read(TreeKeys.MIN_HESSIAN),
            trees.read(TreeKeys.MIN_GAIN));
    BoosterSettings.Builder builder =
        BoosterSettings.builder(objective)
            .anchoring(anchoring(objective))
            .rounds(trees.read(TreeKeys.ROUNDS))
            .learningRate(trees.read(TreeKeys.LEARNING_RATE))
            .trees(limits)
            .penalties(
                new Penalties(
                    trees.read(TreeKeys.LAMBDA1),
                    trees.read(TreeKeys.LAMBDA),
                    trees.read(TreeKeys.LEAF_PRICE)))
            .sampling(sampling(trees.section("sampling")))
            .multiclass(multiclass(trees, objective, limits))
            .step(
                trees.read(TreeKeys.STEP).equals("lineSearch")
                    ? StepSize.LINE_SEARCH
                    : StepSize.NEWTON)
            .holdOut(holdOut(trees))
            .adaBoost(votes)
            .linearBase(base())
            .maxBins(trees.read(TreeKeys.MAX_BINS))
            .threads(model.read(ModelKeys.THREADS))
            .seed(model.read(ModelKeys.SEED));
    monotone(trees, objective).forEach(builder::monotone);
    trees.rejectUnknown();
    return builder.build();
  }

  /** With what AdaBoost cannot do said, and then without AdaBoost: all problems come at once. */
  private @Nullable AdaBoost votes(Objective objective, Section trees) {
    String booster = model.read(ModelKeys.BOOSTER);
    Section section = model.section("adaboost");
    String criterion = section.read(ModelKeys.CRITERION);
    boolean resample = section.read(ModelKeys.RESAMPLE);
    section.rejectUnknown();
    if (!booster.equals("adaboost")) {
      if (model.has("adaboost")) {
        model.problem(
            Sentence.of(
                "%s has no meaning unless %s is adaboost: leave it out",
                model.name("adaboost"), model.name("booster")));
      }
      return null;
    }
    boolean possible = objective instanceof Exponential || objective instanceof Softmax;
    if (!possible) {
      model.wrong(
          "objective",
          "exponential for two classes or softmax for more, where the booster is adaboost",
          objective.name());
    }
    for (String key : List.of("gamma", "ladder", "anchorSplits", "linear", "base")) {
      boolean plain = key.equals("gamma") && "1".equals(model.optionalText(key));
      if (model.has(key) && !plain) {
        possible = false;
        model.problem(
            Sentence.of(
                "%s has no meaning where %s is adaboost, whose votes know neither anchor nor"
                    + " base: leave it out",
                model.name(key), model.name("booster")));
      }
    }
    for (String key : List.of("sampling", "monotone", "multiclass", "step")) {
      if (trees.has(key)) {
        possible = false;
        model.problem(
            Sentence.of(
                "%s has no meaning where %s is adaboost: leave it out",
                trees.name(key), model.name("booster")));
      }
    }
    return possible
        ? new AdaBoost(criterion.equals("gini") ? Criterion.GINI : Criterion.ERROR, resample)
        : null;
  }

  private Anchoring anchoring(Objective objective) {
    double gamma = gamma();
    if ((gamma != 1 || StrengthReader.auto(model)) && !objective.anchorable()) {
      model.wrong(
          "gamma",
          Sentence.of(
              "1 for the objective %s, whose gradient has no slope for an anchor to work on; take"
                  + " huber for a robust loss that has",
              objective.name()),
          String.valueOf(model.optionalText("gamma")));
      gamma = 1;
    }
    boolean splits = model.read(ModelKeys.ANCHOR_SPLITS);
    boolean intercept = model.read(ModelKeys.ANCHOR_INTERCEPT);
    boolean environments = model.has("environment");
    if (model.has("anchorIntercept") && (anchors.isEmpty() || environments)) {
      model.problem(
          Sentence.of(
              "%s has no meaning without %s alone: environments are their own intercept, so leave"
                  + " it out",
              model.name("anchorIntercept"), model.name("anchors")));
    }
    if (splits && !anchors.isEmpty()) {
      model.problem(
          Sentence.of(
              "%s works with environments alone, not with %s: leave one of them out",
              model.name("anchorSplits"), model.name("anchors")));
      splits = false;
    }
    if (splits && objective.outputs() > 1) {
      model.problem(
          Sentence.of(
              "%s has no meaning for the objective %s, which has a raw score a class: leave it out",
              model.name("anchorSplits"), objective.name()));
      splits = false;
    }
    AnchorDesign design =
        anchors.isEmpty()
            ? new AnchorDesign.Environments()
            : environments ? new AnchorDesign.Mixed() : new AnchorDesign.Continuous(intercept);
    return new Anchoring(gamma, design, splits);
  }

  private double gamma() {
    return StrengthReader.auto(model)
        ? 1 // until there are rows to choose from
        : Double.parseDouble(model.read(ModelKeys.GAMMA));
  }

  private static Sampling sampling(Section sampling) {
    Sampling read =
        new Sampling(sampling.read(TreeKeys.SAMPLE_ROWS), sampling.read(TreeKeys.SAMPLE_FEATURES));
    sampling.rejectUnknown();
    return read;
  }

  private MulticlassTrees multiclass(Section trees, Objective objective, TreeLimits limits) {
    boolean given = trees.has("multiclass");
    String choice = trees.read(TreeKeys.MULTICLASS);
    if (given && objective.outputs() == 1) {
      trees.problem(
          Sentence.of(
              "%s has no meaning for the objective %s, which has one raw score: leave it out",
              trees.name("multiclass"), objective.name()));
    }
    if (choice.equals("perClass")) {
      return MulticlassTrees.PER_CLASS;
    }
    int most = MOST_LEAF_VALUES / objective.outputs();
    if (limits.maxLeaves() > most) {
      trees.wrong(
          "maxLeaves",
          Sentence.of(
              "at most %d with %d classes and %s vector, for a tree is to fit a record",
              most, objective.outputs(), trees.name("multiclass")),
          "" + limits.maxLeaves());
    }
    return MulticlassTrees.VECTOR;
  }

  private Map<String, Integer> monotone(Section trees, Objective objective) {
    Map<String, Integer> directions = trees.directions(TreeKeys.MONOTONE);
    if (!directions.isEmpty() && objective.outputs() > 1) {
      trees.problem(
          Sentence.of(
              "%s has no meaning for the objective %s, which has a raw score a class: leave it out",
              trees.name("monotone"), objective.name()));
      return Map.of();
    }
    return directions;
  }

  private LinearBase linear(Section section) {
    String strength = section.read(ModelKeys.LINEAR_STRENGTH);
    Folds folds = Folds.valueOf(section.read(ModelKeys.FOLDS).toUpperCase(Locale.ROOT));
    double ratio = section.read(ModelKeys.L1_RATIO);
    if (strength.equals("auto")) {
      if (folds == Folds.ENVIRONMENT && !model.has(ModelKeys.ENVIRONMENT)) {
        section.problem(
            Sentence.of(
                "%s is environment, but there are none: name their field as %s",
                section.name(ModelKeys.FOLDS), model.name(ModelKeys.ENVIRONMENT)));
      }
      return LinearBase.chosenBy(folds, ratio);
    }
    if (section.has(ModelKeys.FOLDS)) {
      section.problem(
          Sentence.of(
              "%s has no meaning unless %s is auto: leave it out",
              section.name(ModelKeys.FOLDS), section.name(ModelKeys.LINEAR_STRENGTH)));
    }
    return new LinearBase(Double.parseDouble(strength), ratio);
  }

  private static @Nullable HoldOut holdOut(Section trees) {
    int stopAfter = trees.read(TreeKeys.STOP_AFTER);
    double share = trees.read(TreeKeys.KEPT_OUT);
    if (stopAfter == 0 && trees.has(TreeKeys.KEPT_OUT)) {
      trees.problem(
          Sentence.of(
              "%s has no meaning unless %s is above 0: leave it out",
              trees.name(TreeKeys.KEPT_OUT), trees.name(TreeKeys.STOP_AFTER)));
    }
    return stopAfter == 0 ? null : new HoldOut(share, stopAfter);
  }

  private @Nullable LinearBase base() {
    boolean linear = model.read(ModelKeys.BASE).equals("linear");
    Section section = model.section("linear");
    LinearBase read = linear(section);
    section.rejectUnknown();
    if (!linear && model.has("linear")) {
      model.problem(
          Sentence.of(
              "%s has no meaning while %s is constant: leave it out, or set %s to linear",
              model.name("linear"), model.name("base"), model.name("base")));
    }
    return linear ? read : null;
  }
}
