package io.holdfast.exchange.xgboost;

import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.exchange.document.Document;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ForeignFeatures;
import io.holdfast.exchange.foreign.ForeignModel;
import io.holdfast.exchange.foreign.NodeOrder;
import io.holdfast.exchange.foreign.TreeDraft;
import io.holdfast.schemas.Sentence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * XGBoost's documents, of the versions 1 to 3, as models of ours. Stateless.
 *
 * <p>XGBoost compares floats, and sends what is below left; we compare doubles, and send what is at
 * most a threshold left: thresholds are moved so that each double goes where its float goes. A
 * category that is tested goes right there, and any other left, whether it was known or not.
 */
public final class XgboostReader {
  private static final int MOST_FEATURES = 4_096;
  private static final int MOST_OUTPUTS = 1_000;
  private static final int MOST_TREES = 100_000;

  private XgboostReader() {}

  public static boolean recognises(Document document) {
    return document.find("learner") != null;
  }

  /** Makes a model of a document. */
  public static ForeignModel read(Document document) throws ExchangeException {
    Document learner = document.field("learner");
    Document booster = learner.field("gradient_booster");
    String kind = booster.field("name").text();
    ExchangeException.require(
        kind.equals("gbtree") || kind.equals("dart"),
        "the model's booster is %s, and gbtree and dart can be taken over",
        kind);
    Document inner = booster.find("gbtree");
    Document model = (inner == null ? booster : inner).field("model");
    int outputs = outputs(learner);
    XgboostObjective objective = XgboostObjective.of(learner, outputs);
    List<XgboostTree> trees = trees(model);
    int[] outputOf = model.field("tree_info").integers();
    double[] weights = weights(booster, model, trees.size());
    if (outputOf.length != trees.size() || weights.length != trees.size()) {
      throw ExchangeException.of(
          "the model must have a tree_info, and a weight if it has any, for each of %d trees: %d,"
              + " %d",
          trees.size(), outputOf.length, weights.length);
    }
    ForeignFeatures features = XgboostFeatures.of(learner, model, trees, MOST_FEATURES);
    List<Tree> ours = new ArrayList<>();
    for (int k = 0; k < trees.size(); k++) {
      if (outputOf[k] < 0 || outputOf[k] >= outputs) {
        throw ExchangeException.of(
            "tree %d of the model is for raw score %d, and there are %d", k, outputOf[k], outputs);
      }
      ours.add(tree(trees.get(k), features, outputOf[k], weights[k]));
    }
    return ForeignModel.of(
        "XGBoost",
        objective.objective(),
        features.features(),
        Base.constant(objective.base()),
        ours.isEmpty() ? List.of() : List.of(new Segment(ours)),
        notes(learner, objective, trees.size() / outputs));
  }

  /** With a word on rounds that Python's estimators leave out when they predict. */
  private static List<String> notes(Document learner, XgboostObjective objective, int rounds)
      throws ExchangeException {
    List<String> notes = new ArrayList<>(objective.notes());
    Document attributes = learner.find("attributes");
    Document best = attributes == null ? null : attributes.find("best_iteration");
    if (best != null) {
      notes.add(
          Sentence.of(
              "Training stopped early, and all %d rounds were taken; scikit-learn's estimators"
                  + " predict with those up to best_iteration, %s: save booster[:%s + 1] to have"
                  + " those alone.",
              rounds, best.text(), best.text()));
    }
    return notes;
  }

  private static int outputs(Document learner) throws ExchangeException {
    Document parameters = learner.field("learner_model_param");
    Document targets = parameters.find("num_target");
    ExchangeException.require(
        targets == null || targets.number() <= 1,
        "the model has several targets, and one here has one: train one for each target");
    Document said = parameters.find("num_class");
    double classes = said == null ? 1 : Math.max(1, said.number());
    if (classes > MOST_OUTPUTS || classes != (int) classes) {
      throw ExchangeException.of(
          "the model must have at most %d classes: %s", MOST_OUTPUTS, classes);
    }
    return (int) classes;
  }

  private static List<XgboostTree> trees(Document model) throws ExchangeException {
    List<Document> documents = model.field("trees").items();
    double said = model.field("gbtree_model_param").field("num_trees").number();
    if (documents.size() > MOST_TREES || documents.size() != said) {
      throw ExchangeException.of(
          "the model says that it has %s trees, of %d at most, and has %d",
          said, MOST_TREES, documents.size());
    }
    List<XgboostTree> trees = new ArrayList<>();
    for (Document document : documents) {
      trees.add(new XgboostTree("tree " + trees.size() + " of the model", document));
    }
    return trees;
  }

  /** What trees count with: of dart what dropping has left of each, else 1. */
  private static double[] weights(Document booster, Document model, int trees)
      throws ExchangeException {
    @Nullable Document of = booster.find("weight_drop");
    of = of == null ? model.find("weight_drop") : of;
    if (of != null) {
      return of.numbers();
    }
    double[] weights = new double[trees];
    Arrays.fill(weights, 1);
    return weights;
  }

  private static Tree tree(XgboostTree from, ForeignFeatures features, int output, double weight)
      throws ExchangeException {
    NodeOrder order = from.order();
    TreeDraft draft = new TreeDraft(order);
    for (int place = 0; place < order.innerNodes(); place++) {
      int node = order.inner(place);
      int column = from.feature(node);
      if (from.categorical(node)) {
        draft.categorical(
            place, column, features.codes(column, from.categories(node)), !from.defaultLeft(node));
        draft.swap(place);
      } else {
        draft.numeric(
            place, column, FloatThreshold.atMost(from.condition(node)), from.defaultLeft(node));
      }
    }
    Tree tree = draft.tree(from.name(), node -> (float) weight * from.leafValue(node), output);
    return draft.withStatistics(tree, from::gain, from::cover);
  }
}
