package io.holdfast.bench.scoring;

import io.holdfast.boosting.Check;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import java.util.ArrayList;
import java.util.List;

/**
 * What a layout of an ensemble needs: its trees in the order in which their values are added, to
 * the intercept. Numeric features, one output. Immutable.
 */
record Ensemble(int width, double intercept, List<Member> members) {
  /** A tree, and what the values of its leaves are multiplied with. */
  record Member(Tree tree, double decay) {
    double value(int leaf) {
      return decay * tree.leafValue(leaf);
    }

    /** The root: a node, or leaf 0 where that is all there is. */
    int root() {
      return tree.innerNodes() == 0 ? -1 : 0;
    }
  }

  Ensemble {
    members = List.copyOf(members);
  }

  /**
   * The ensemble of a model.
   *
   * @throws IllegalArgumentException if it has several outputs, or nodes of categories
   */
  static Ensemble of(Model model) {
    Check.that(
        model.base().outputs() == 1,
        "an ensemble to lay out must have one output: %s",
        model.base().outputs());
    List<Member> members = new ArrayList<>();
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        for (int node = 0; node < tree.innerNodes(); node++) {
          Check.that(!tree.categorical(node), "node %s must not be of categories", node);
        }
        members.add(new Member(tree, segment.decay()));
      }
    }
    return new Ensemble(model.features().size(), model.base().intercept(0), members);
  }

  int nodes() {
    return members.stream().mapToInt(member -> member.tree().innerNodes()).sum();
  }

  int leaves() {
    return members.stream().mapToInt(member -> member.tree().leaves()).sum();
  }
}
