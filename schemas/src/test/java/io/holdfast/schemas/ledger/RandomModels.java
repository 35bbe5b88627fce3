package io.holdfast.schemas.ledger;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.schemas.avro.OffsetRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Random models and versions of them, from a seed. */
final class RandomModels {
  static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("temp"),
          new Feature.Categorical("city", List.of("Bonn", "Köln", "")),
          new Feature.Numeric("station.id"));

  private final SplittableRandom random;

  RandomModels(long seed) {
    random = new SplittableRandom(seed);
  }

  Segment segment(int trees, int leaves) {
    List<Tree> grown = new ArrayList<>();
    for (int i = 0; i < trees; i++) {
      grown.add(tree(leaves));
    }
    return new Segment(grown);
  }

  /** A chain of inner nodes with random sides, so that depth and shape vary. */
  Tree tree(int leaves) {
    int nodes = leaves - 1;
    int[] feature = new int[nodes];
    double[] threshold = new double[nodes];
    boolean[] missingLeft = new boolean[nodes];
    long[][] sets = new long[nodes][];
    int[] left = new int[nodes];
    int[] right = new int[nodes];
    List<int[]> open = new ArrayList<>();
    int nextLeaf = 0;
    for (int node = 0; node < nodes; node++) {
      feature[node] = random.nextInt(FEATURES.size());
      boolean categorical = feature[node] == 1;
      sets[node] = categorical ? new long[] {random.nextLong()} : new long[0];
      threshold[node] = categorical ? 0 : random.nextDouble(-3, 3);
      missingLeft[node] = random.nextBoolean();
      if (node > 0) {
        int[] slot = open.remove(random.nextInt(open.size()));
        (slot[1] == 0 ? left : right)[slot[0]] = node;
      }
      open.add(new int[] {node, 0});
      open.add(new int[] {node, 1});
    }
    for (int[] slot : open) {
      (slot[1] == 0 ? left : right)[slot[0]] = -1 - nextLeaf++;
    }
    double[] values = random.doubles(leaves, -1, 1).toArray();
    return new Tree(feature, threshold, missingLeft, sets, left, right, values);
  }

  double[] row() {
    return new double[] {
      random.nextInt(5) == 0 ? Double.NaN : random.nextDouble(-4, 4),
      random.nextInt(5) == 0 ? Double.NaN : random.nextInt(3),
      random.nextDouble(-4, 4)
    };
  }

  static Model untrained() {
    return new Model(new Logistic(), FEATURES, 0, List.of());
  }

  static LedgerCodec.Draft draft(@Nullable LedgerVersion parent, Model trained) {
    return new LedgerCodec.Draft(
        "bikes",
        parent == null ? 0 : parent.number() + 1,
        parent,
        trained,
        7,
        List.of(new OffsetRange("bikes.examples", 0, 0L, 100L)),
        List.of(),
        List.of("spring", "summer"),
        42,
        "{}",
        Map.of("rows", 100.0, "anchorLossBefore", 3.0, "anchorLossAfter", 2.0),
        "0.1.0");
  }
}
