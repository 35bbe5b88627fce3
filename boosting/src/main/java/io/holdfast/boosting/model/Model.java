package io.holdfast.boosting.model;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.objective.Objective;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All that a scorer needs: features, objective, base and trees. Immutable.
 *
 * <p>It is refused if two features have the same name, if a tree or linear term is of a feature
 * that is not there or of the other type, or if a tree adds to a raw score that the objective has
 * not.
 *
 * <p>A raw score of a row is the base plus, in order, {@code decay * leaf value} of each tree of
 * that output, added one after the other in double arithmetic: that order defines the score's bits.
 *
 * @param features the columns of a feature vector, in order
 * @param base the raw scores before any tree, as many as the objective has
 */
public record Model(
    Objective objective, List<Feature> features, Base base, List<Segment> segments) {
  public Model {
    features = List.copyOf(features);
    segments = List.copyOf(segments);
    Check.that(!features.isEmpty(), "a model must have at least 1 feature: %s", features.size());
    checkNames(features);
    Check.that(
        base.outputs() == objective.outputs(),
        "the base must have as many outputs as %s has, %s: %s",
        objective.name(),
        objective.outputs(),
        base.outputs());
    for (LinearTerm term : base.terms()) {
      checkFeature(term, features);
    }
    long categorical = categorical(features);
    long numeric = ~categorical & (features.size() < Long.SIZE ? (1L << features.size()) - 1 : -1);
    for (Segment segment : segments) {
      for (Tree tree : segment.trees()) {
        Tree.Columns seen = tree.columns();
        if (!seen.within(numeric, categorical)) {
          checkFeatures(tree, features);
        }
        Check.that(
            tree.output() + tree.outputs() <= base.outputs(),
            "a tree must add to the model's %s outputs: it adds to %s from %s",
            base.outputs(),
            tree.outputs(),
            tree.output());
      }
    }
  }

  /** A model of one output with a constant base. */
  public Model(Objective objective, List<Feature> features, double base, List<Segment> segments) {
    this(objective, features, Base.constant(base), segments);
  }

  /** Trees of all segments. */
  public int trees() {
    return segments.stream().mapToInt(segment -> segment.trees().size()).sum();
  }

  public Model plus(Segment segment) {
    List<Segment> longer = new ArrayList<>(segments);
    longer.add(segment);
    return new Model(objective, features, base, longer);
  }

  /**
   * Refuses, in one sentence, rows whose trees cannot follow this model's.
   *
   * @param features the columns of {@code rows}: this model's, but for categories that came since
   */
  public void checkContinuedBy(List<Feature> features, Rows rows) {
    Check.that(rows.size() >= 1, "there must be at least 1 row to train on: %s", rows.size());
    Check.that(
        rows.width() == features.size(),
        "rows must have as many values as there are features, %s: %s",
        features.size(),
        rows.width());
    Check.that(
        features.size() == this.features.size(),
        "there must be as many features as the model has, %s: %s",
        this.features.size(),
        features.size());
    for (int column = 0; column < features.size(); column++) {
      Feature now = features.get(column);
      Feature before = this.features.get(column);
      Check.that(
          now.extendsOlder(before),
          "feature %s, %s, must have the name, type and first categories of the model's, %s",
          column,
          now.name(),
          before.name());
    }
  }

  /** Which of the first 64 features have categories, as bits. */
  private static long categorical(List<Feature> features) {
    long categorical = 0;
    for (int column = 0; column < Math.min(Long.SIZE, features.size()); column++) {
      categorical |= features.get(column) instanceof Feature.Categorical ? 1L << column : 0;
    }
    return categorical;
  }

  private static void checkNames(List<Feature> features) {
    Set<String> names = new HashSet<>();
    for (Feature feature : features) {
      Check.that(
          names.add(feature.name()),
          "the features of a model must have different names: %s is there twice",
          feature.name());
    }
  }

  private static void checkFeature(LinearTerm term, List<Feature> features) {
    Check.that(
        term.feature() < features.size(),
        "the feature of a linear term must be below the model's %s features: %s",
        features.size(),
        term.feature());
    Feature feature = features.get(term.feature());
    boolean fits =
        switch (term) {
          case LinearTerm.Numeric _ -> feature instanceof Feature.Numeric;
          case LinearTerm.Categorical effects ->
              feature instanceof Feature.Categorical categorical
                  && effects.categories() <= categorical.categories().size();
        };
    Check.that(
        fits,
        "the linear term of feature %s must be of its type, with at most as many categories: %s",
        feature.name(),
        term);
  }

  private static void checkFeatures(Tree tree, List<Feature> features) {
    for (int node = 0; node < tree.innerNodes(); node++) {
      int column = tree.feature(node);
      if (column < features.size()
          && tree.categorical(node) == features.get(column) instanceof Feature.Categorical) {
        continue; // the arguments below are objects, so not for every node
      }
      Check.that(
          column < features.size(),
          "feature of node %s must be below the model's %s features: %s",
          node,
          features.size(),
          column);
      Feature feature = features.get(column);
      Check.that(
          tree.categorical(node) == feature instanceof Feature.Categorical,
          "node %s must be %s, as its feature %s is",
          node,
          feature instanceof Feature.Categorical ? "categorical" : "numeric",
          feature.name());
    }
  }
}
