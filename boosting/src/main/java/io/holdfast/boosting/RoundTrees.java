package io.holdfast.boosting;

import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.anchor.ScalarState;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.data.CategoryTargets;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.KeptBins;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.histogram.AnchorCoupling;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Workers;
import io.holdfast.boosting.tree.GrowthSettings;
import io.holdfast.boosting.tree.TreeGrower;
import io.holdfast.boosting.tree.TreeStructure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The trees of each round: one, or one a class. Owned by one thread. */
final class RoundTrees implements AutoCloseable {
  private final BoosterSettings settings;
  private final Rows rows;
  private final boolean perClass;
  private final @Nullable Bins bins;
  private final TreeGrower grower;
  private final double[] gradients;
  private final double[] hessians;
  private final double[] classGradients; // of one class
  private final double[] classHessians;

  RoundTrees(
      BoosterSettings settings,
      List<Feature> features,
      Rows rows,
      AnchorState state,
      @Nullable KeptBins kept,
      Workspace workspace,
      Workers workers) {
    this.settings = settings;
    this.rows = rows;
    Buffers buffers = workspace.buffers();
    int outputs = settings.objective().outputs();
    perClass = outputs > 1 && settings.multiclass() == MulticlassTrees.PER_CLASS;
    BinnedRows binned =
        workspace.binned(
            rows, features, settings.maxBins(), kept, () -> targets(state, rows.size(), buffers));
    bins = binned.bins();
    grower =
        new TreeGrower(
            binned,
            new GrowthSettings(
                settings.trees(),
                settings.penalties(),
                settings.sampling(),
                directions(settings.monotone(), features),
                groups(settings.interactions(), features),
                perClass ? 1 : outputs,
                settings.threads(),
                coupling(settings.anchoring(), rows, buffers)),
            buffers,
            workers);
    // One raw score's derivatives are read where they stand.
    int entries = outputs == 1 ? 0 : Math.multiplyExact(outputs, rows.size());
    gradients = buffers.doubles(entries);
    hessians = buffers.doubles(entries);
    classGradients = buffers.doubles(perClass ? rows.size() : 0);
    classHessians = buffers.doubles(perClass ? rows.size() : 0);
  }

  /** What categories are put together by: the derivatives before the first round. */
  private static CategoryTargets targets(AnchorState state, int rows, Buffers buffers) {
    int entries = Math.multiplyExact(state.outputs(), rows);
    double[] gradients = buffers.doubles(entries);
    double[] hessians = buffers.doubles(gradients.length);
    state.gradients(gradients);
    state.growthHessians(hessians);
    return new CategoryTargets(gradients, hessians, state.outputs());
  }

  /** Grows a round's trees on the gradients at the current scores. */
  List<TreeStructure> grow(AnchorState state, int round) {
    long rowSeed = seedOfRows(settings.seed(), round);
    long columnSeed = seedOfColumns(settings.seed(), round, 0);
    if (state instanceof ScalarState scalar) {
      return List.of(grower.grow(scalar.gradients(), scalar.growthHessians(), rowSeed, columnSeed));
    }
    state.gradients(gradients);
    state.growthHessians(hessians);
    if (!perClass) {
      return List.of(grower.grow(gradients, hessians, rowSeed, columnSeed));
    }
    List<TreeStructure> structures = new ArrayList<>();
    int size = rows.size();
    for (int k = 0; k < settings.objective().outputs(); k++) {
      System.arraycopy(gradients, k * size, classGradients, 0, size);
      System.arraycopy(hessians, k * size, classHessians, 0, size);
      long ownSeed = seedOfColumns(settings.seed(), round, k);
      structures.add(grower.grow(classGradients, classHessians, rowSeed, ownSeed));
    }
    return structures;
  }

  List<Tree> trees(List<TreeStructure> structures, double[][] values) {
    List<Tree> trees = new ArrayList<>();
    for (int k = 0; k < values.length; k++) {
      TreeStructure structure = structures.get(k);
      int outputs = values[k].length / structure.leaves();
      trees.add(structure.withLeafValues(values[k], k, outputs, structure.covers(rows)));
    }
    return trees;
  }

  @Nullable Bins bins() {
    return bins;
  }

  /** Takes a round's structures back, once its trees are made. */
  void recycle(List<TreeStructure> structures) {
    structures.forEach(grower::recycle);
  }

  @Override
  public void close() {
    grower.close();
  }

  static List<Integer> directions(Map<String, Integer> monotone, List<Feature> features) {
    if (monotone.isEmpty()) {
      return List.of();
    }
    return features.stream().map(feature -> monotone.getOrDefault(feature.name(), 0)).toList();
  }

  /** Of each feature the number of its group; those that are in none are one more. */
  private static List<Integer> groups(Map<String, String> interactions, List<Feature> features) {
    if (interactions.isEmpty()) {
      return List.of();
    }
    List<String> names = interactions.values().stream().distinct().toList();
    return features.stream()
        .map(feature -> interactions.getOrDefault(feature.name(), ""))
        .map(names::indexOf)
        .toList();
  }

  private static @Nullable AnchorCoupling coupling(
      Anchoring anchoring, Rows rows, Buffers buffers) {
    if (!anchoring.splits() || anchoring.gamma() == 1) {
      return null;
    }
    return AnchorCoupling.ofEnvironments(rows, anchoring.gamma() - 1, buffers);
  }

  /** What draws the rows of a round, for all its trees. */
  private static long seedOfRows(long seed, int round) {
    return mix(mix(seed) + 2L * round);
  }

  /** What draws the columns of one tree of a round. */
  private static long seedOfColumns(long seed, int round, int tree) {
    return mix(mix(mix(seed) + 2L * round + 1) + tree);
  }

  /** The finaliser of SplitMix64: seeds that differ by a little give unrelated streams. */
  private static long mix(long value) {
    long mixed = value + 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
