package io.holdfast.schemas.settings;

import io.holdfast.boosting.Anchoring;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.EarlyStopping;
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
import io.holdfast.schemas.settings.keys.Kind;
import io.holdfast.schemas.settings.keys.ModelKeys;
import io.holdfast.schemas.settings.keys.TreeKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what determines training beside the rows, and checks that it goes together. */
final class BoosterReader {
  /** Values of all leaves of one tree: with the rest it is to fit a segment of 512 KiB. */
  private static final int MOST_LEAF_VALUES = 50_000;

  private final Section model;
  private final ObjectiveReader objectives;
  private final List<String> anchors;

  /** A reader of {@code model}, whose continuous anchors have been read. */
  BoosterReader(Section model, ObjectiveReader objectives, List<String> anchors) {
    this.model = model;
    this.objectives = objectives;
    this.anchors = anchors;
  }

  BoosterSettings read() {
    Objective objective = objectives.read();
    Section trees = model.section("trees");
    AdaBoost votes = votes(objective, trees);
    TreeLimits limits =
        new TreeLimits(
            trees.read(TreeKeys.MAX_LEAVES),
            trees.read(votes == null ? TreeKeys.MAX_DEPTH : TreeKeys.DEPTH_OF_VOTES),
            trees.read(TreeKeys.MIN_ROWS),
            trees.read(TreeKeys.MIN_HESSIAN),
            trees.read(TreeKeys.MIN_GAIN));
    boolean newton = trees.read(TreeKeys.STEP).equals("newton");
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
            .sampling(trees.group("sampling", BoosterReader::sampling))
            .multiclass(multiclass(trees, objective, limits))
            .step(newton ? StepSize.NEWTON : StepSize.LINE_SEARCH)
            .holdOut(holdOut(trees))
            .adaBoost(votes)
            .linearBase(base())
            .classWeights(classWeights(objective))
            .maxBins(trees.read(TreeKeys.MAX_BINS))
            .threads(model.read(ModelKeys.THREADS))
            .seed(model.read(ModelKeys.SEED));
    monotone(trees, objective).forEach(builder::monotone);
    trees.groups(TreeKeys.INTERACTIONS).forEach(builder::interactions);
    trees.rejectUnknown();
    return builder.build();
  }

  /** With what AdaBoost cannot do said, and then without AdaBoost: all problems come at once. */
  private @Nullable AdaBoost votes(Objective objective, Section trees) {
    boolean adaBoost = model.read(ModelKeys.BOOSTER).equals("adaboost");
    AdaBoost votes =
        model.group(
            "adaboost",
            section ->
                new AdaBoost(
                    section.read(ModelKeys.CRITERION).equals("gini")
                        ? Criterion.GINI
                        : Criterion.ERROR,
                    section.read(ModelKeys.RESAMPLE)));
    model.onlyIf(adaBoost, "adaboost", "booster", "adaboost");
    if (!adaBoost) {
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
            "%s has no meaning where %s is adaboost, whose votes know neither anchor nor base:"
                + " leave it out",
            model.name(key), model.name("booster"));
      }
    }
    for (String key : List.of("sampling", "monotone", "interactions", "multiclass", "step")) {
      if (trees.has(key)) {
        possible = false;
        trees.problem(
            "%s has no meaning where %s is adaboost: leave it out",
            trees.name(key), model.name("booster"));
      }
    }
    return possible ? votes : null;
  }

  private Anchoring anchoring(Objective objective) {
    boolean auto = StrengthReader.auto(model);
    // 1 for auto, until there are rows to choose from
    double gamma = auto ? 1 : Double.parseDouble(model.read(ModelKeys.GAMMA));
    if ((gamma != 1 || auto) && !objective.anchorable()) {
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
          "%s has no meaning without %s alone: environments are their own intercept, so leave it"
              + " out",
          model.name("anchorIntercept"), model.name("anchors"));
    }
    if (splits && !anchors.isEmpty()) {
      model.problem(
          "%s works with environments alone, not with %s: leave one of them out",
          model.name("anchorSplits"), model.name("anchors"));
      splits = false;
    }
    if (splits && objective.outputs() > 1) {
      model.uselessFor(objective.name(), "anchorSplits", "has a raw score a class");
      splits = false;
    }
    AnchorDesign design =
        anchors.isEmpty()
            ? new AnchorDesign.Environments()
            : environments ? new AnchorDesign.Mixed() : new AnchorDesign.Continuous(intercept);
    return new Anchoring(gamma, design, splits);
  }

  private static Sampling sampling(Section sampling) {
    return new Sampling(
        sampling.read(TreeKeys.SAMPLE_ROWS), sampling.read(TreeKeys.SAMPLE_FEATURES));
  }

  private static MulticlassTrees multiclass(Section trees, Objective objective, TreeLimits limits) {
    String choice = trees.read(TreeKeys.MULTICLASS);
    if (trees.has("multiclass") && objective.outputs() == 1) {
      trees.uselessFor(objective.name(), "multiclass", "has one raw score");
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

  private static Map<String, Integer> monotone(Section trees, Objective objective) {
    Map<String, Integer> directions = trees.directions(TreeKeys.MONOTONE);
    if (directions.isEmpty() || objective.outputs() == 1) {
      return directions;
    }
    trees.uselessFor(objective.name(), "monotone", "has a raw score a class");
    return Map.of();
  }

  private List<Double> classWeights(Objective objective) {
    List<String> texts = model.list(ModelKeys.CLASS_WEIGHTS);
    if (texts.isEmpty()) {
      return List.of();
    }
    if (objective.classes() == 0) {
      model.uselessFor(objective.name(), "classWeights", "has no classes");
      return List.of();
    }
    List<Double> weights = new ArrayList<>();
    for (String text : texts) {
      Double weight = Kind.Real.NOT_NEGATIVE.parse(text);
      if (weight != null && weight > 0) {
        weights.add(weight);
      }
    }
    if (weights.size() != texts.size() || weights.size() != objective.classes()) {
      model.wrong(
          "classWeights",
          Sentence.of("a number above 0 for each of the %d classes", objective.classes()),
          String.join(", ", texts));
      return List.of();
    }
    return weights;
  }

  private static @Nullable HoldOut holdOut(Section trees) {
    int stopAfter = trees.read(TreeKeys.STOP_AFTER);
    double share = trees.read(TreeKeys.KEPT_OUT);
    trees.onlyIf(stopAfter > 0, "keptOut", "stopAfter", "above 0");
    boolean worst = trees.read(TreeKeys.STOP_BY).equals("worst");
    trees.onlyIf(stopAfter > 0, "stopBy", "stopAfter", "above 0");
    EarlyStopping.Criterion by =
        worst ? new EarlyStopping.Criterion.Worst() : new EarlyStopping.Criterion.Mean();
    return stopAfter > 0 ? new HoldOut(share, stopAfter, by) : null;
  }

  private @Nullable LinearBase base() {
    boolean linear = model.read(ModelKeys.BASE).equals("linear");
    LinearBase read = model.group("linear", this::linear);
    if (!linear && model.has("linear")) {
      model.problem(
          "%s has no meaning while %s is constant: leave it out, or set %s to linear",
          model.name("linear"), model.name("base"), model.name("base"));
    }
    return linear ? read : null;
  }

  private LinearBase linear(Section section) {
    String strength = section.read(ModelKeys.LINEAR_STRENGTH);
    Folds folds = Folds.valueOf(section.read(ModelKeys.FOLDS).toUpperCase(Locale.ROOT));
    double ratio = section.read(ModelKeys.L1_RATIO);
    section.onlyIf(strength.equals("auto"), "folds", "strength", "auto");
    if (!strength.equals("auto")) {
      return new LinearBase(Double.parseDouble(strength), ratio);
    }
    if (folds == Folds.ENVIRONMENT && !model.has("environment")) {
      section.problem(
          "%s is environment, but there are none: name their field as %s",
          section.name("folds"), model.name("environment"));
    }
    return LinearBase.chosenBy(folds, ratio);
  }
}
