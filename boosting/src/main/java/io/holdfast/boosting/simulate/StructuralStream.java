package io.holdfast.boosting.simulate;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.numeric.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Rows of structural equations with an anchor and a hidden confounder, whose shift is a dial:
 *
 * <pre>
 * A   = direction(environment) * strength(row)      the anchor; directions go evenly from -1 to 1
 * H   = 0.8 A + N(0, 1)                             the confounder, never a feature
 * C_j = 0.5 A + N(0, 1)                             causes
 * S_j = H + 1.5 A + N(0, 0.5)                       shortcuts: symptoms of H that the shift bends
 * Z_j = N(0, 1)                                     noise
 * Y   = 2 C_1 + |C_2| + 1.5 sin(2 C_3) + C_1 C_4 + 2 H + N(0, 1)
 * </pre>
 *
 * <p>Within an environment the shortcuts tell of H, between environments they mislead, the more so
 * the stronger the shift. Rothenhäusler et al., "Anchor regression: heterogeneous data meet
 * causality", JRSS B 83, 2021, section 1.
 */
public final class StructuralStream implements SimulatedStream {
  private static final int CAUSES = 4;
  private static final int SHORTCUTS = 3;
  private static final int NOISE = 3;
  private static final double MIDDLE = 0.8; // the median of |C_2| and its kin, about: even classes

  private final int classes;
  private final List<String> environments;
  private final LongToDoubleFunction strength;
  private final SplittableRandom random;
  private final SimulatedRow row = new SimulatedRow(CAUSES + SHORTCUTS + NOISE);
  private long number;

  private StructuralStream(
      int classes, int environments, LongToDoubleFunction strength, long seed) {
    Check.that(environments >= 2, "there must be at least 2 environments: %s", environments);
    this.classes = classes;
    this.environments = IntStream.range(0, environments).mapToObj(e -> "e" + e).toList();
    this.strength = strength;
    random = new SplittableRandom(seed);
  }

  /**
   * With a real response.
   *
   * @param strength of the shift, by the number of the row from 0
   */
  public static StructuralStream regression(
      int environments, LongToDoubleFunction strength, long seed) {
    return new StructuralStream(0, environments, strength, seed);
  }

  /** With class 1 where the response is above its middle. */
  public static StructuralStream binary(
      int environments, LongToDoubleFunction strength, long seed) {
    return new StructuralStream(2, environments, strength, seed);
  }

  @Override
  public List<Feature> features() {
    List<Feature> features = new ArrayList<>();
    add(features, "cause", CAUSES);
    add(features, "shortcut", SHORTCUTS);
    add(features, "noise", NOISE);
    return List.copyOf(features);
  }

  private static void add(List<Feature> features, String prefix, int count) {
    for (int k = 1; k <= count; k++) {
      features.add(new Feature.Numeric(prefix + k));
    }
  }

  @Override
  public int classes() {
    return classes;
  }

  @Override
  public List<String> environments() {
    return environments;
  }

  @Override
  public SimulatedRow next() {
    int environment = random.nextInt(environments.size());
    double direction = 2.0 * environment / (environments.size() - 1) - 1;
    double anchor = direction * strength.applyAsDouble(number++);
    double hidden = 0.8 * anchor + random.nextGaussian();
    double[] x = row.features;
    for (int k = 0; k < x.length; k++) {
      double own = random.nextGaussian();
      x[k] =
          k < CAUSES
              ? 0.5 * anchor + own
              : k < CAUSES + SHORTCUTS ? hidden + 1.5 * anchor + 0.5 * own : own;
    }
    double response =
        2 * x[0]
            + Math.abs(x[1])
            + 1.5 * StrictMath.sin(2 * x[2])
            + x[0] * x[3]
            + 2 * hidden
            + random.nextGaussian();
    row.environment = environment;
    row.label = classes == 0 ? response : response > MIDDLE ? 1 : 0;
    return row;
  }
}
