package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How figures differ between environments, each of which counts once.
 *
 * @param worst of each figure
 * @param quantile of each figure: at a share of 0.9 one in ten environments is worse
 */
public record EnvironmentSpread(
    SortedMap<String, Double> worst, SortedMap<String, Double> quantile) {
  private static final Set<String> MORE_IS_BETTER =
      Set.of("accuracy", "auc", "kappa", "kappaM", "kappaTemporal", "r2");

  private static final Set<String> FEWER_IS_BETTER =
      Set.of("loss", "logLoss", "deviance", "rmse", "mae");

  public EnvironmentSpread {
    worst = Collections.unmodifiableSortedMap(new TreeMap<>(worst));
    quantile = Collections.unmodifiableSortedMap(new TreeMap<>(quantile));
  }

  /** Whether a figure is one of which more is better, as of an accuracy; less is, of a loss. */
  public static boolean moreIsBetter(String figure) {
    return MORE_IS_BETTER.contains(figure);
  }

  /**
   * Of the figures of environments but for those of baselines; an environment that does not
   * determine a figure is left out of it.
   *
   * @param share above 0, up to 1
   */
  public static EnvironmentSpread of(Collection<StreamFigures> environments, double share) {
    Check.that(share > 0 && share <= 1, "the share must be above 0, up to 1: %s", share);
    SortedMap<String, Double> worst = new TreeMap<>();
    SortedMap<String, Double> quantile = new TreeMap<>();
    Set<String> names = new TreeSet<>();
    environments.forEach(one -> names.addAll(one.byName().keySet()));
    for (String name : names) {
      if (MORE_IS_BETTER.contains(name) || FEWER_IS_BETTER.contains(name)) {
        double sign = moreIsBetter(name) ? -1 : 1;
        double[] badness =
            environments.stream()
                .filter(one -> one.byName().containsKey(name))
                .mapToDouble(one -> sign * one.byName().get(name))
                .toArray();
        Arrays.sort(badness);
        int at = (int) Math.ceil(share * badness.length) - 1;
        worst.put(name, sign * badness[badness.length - 1]);
        quantile.put(name, sign * badness[Math.max(0, at)]);
      }
    }
    return new EnvironmentSpread(worst, quantile);
  }
}
