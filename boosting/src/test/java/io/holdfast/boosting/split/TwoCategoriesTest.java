package io.holdfast.boosting.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.histogram.Totals;
import io.holdfast.boosting.split.SplitFinder.Leaf;
import io.holdfast.boosting.split.SplitGain.MultiOutputGain;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two categories of a leaf are parted as the orders of all outputs, one after the other, say. */
class TwoCategoriesTest {
  private static final int ABSENT = 1; // the category that the leaf has no rows of
  private static final int MISSING = 3;
  private static final Penalties PENALTIES = new Penalties(0, 0.3, 0);

  @ParameterizedTest
  @CsvSource({"1, false", "1, true", "2, false", "2, true", "5, false", "5, true"})
  void search_anySums_isTheFirstOfTheBestGroups(int outputs, boolean missing) {
    BinnedRows binned = binned();
    var settings = new SplitSettings(new TreeLimits(2, 1, 1, 0, 0), PENALTIES, List.of(), 1, null);
    for (long seed = 0; seed < 500; seed++) {
      ColumnCells cells = cells(new SplittableRandom(seed), outputs, missing);
      Leaf leaf = new Leaf();
      leaf.totals = total(cells);
      SplitGain gain = new MultiOutputGain(PENALTIES, outputs);
      SplitSearch search = new SplitSearch(binned, settings, gain, 2 * outputs);
      search.enter(leaf);
      search.search(0, cells);
      Split found = search.best();
      double best = 0;
      double[] group = {};
      for (int output = 0; output < outputs; output++) {
        int lowest = lowest(cells, leaf.totals, output);
        double[] one = sums(cells, lowest);
        double[] withMissing = plus(one, sums(cells, MISSING));
        double[] known = plus(leaf.totals.sums(), sums(cells, MISSING), -1);
        for (double[] tried :
            missing ? new double[][] {one, withMissing, known} : new double[][] {one}) {
          if (gain.gain(tried, 0) > best) {
            best = gain.gain(tried, 0);
            group = tried;
          }
        }
      }
      assertThat(found.exists()).isEqualTo(best > 0);
      if (best == 0) {
        continue;
      }
      assertThat(found.gain()).as("seed %s", seed).isEqualTo(best);
      double[] left = found.left().sums();
      double[] others = leaf.totals.minus(new Totals(group, 0)).sums();
      assertThat(List.of(group, others)).contains(left);
    }
  }

  private static int lowest(ColumnCells cells, Totals total, int output) {
    double mean = total.sums()[2 * output] / total.sums()[2 * output + 1];
    double[] ratios = new double[MISSING];
    for (int bin = 0; bin < MISSING; bin++) {
      double[] sums = sums(cells, bin);
      ratios[bin] = (sums[2 * output] + 10 * mean) / (sums[2 * output + 1] + 10);
    }
    return ratios[0] > ratios[2] ? 2 : 0;
  }

  private static double[] sums(ColumnCells cells, int bin) {
    double[] sums = new double[cells.channels];
    System.arraycopy(cells.sums, bin * cells.channels, sums, 0, sums.length);
    return sums;
  }

  private static double[] plus(double[] one, double[] other) {
    return plus(one, other, 1);
  }

  private static double[] plus(double[] one, double[] other, int sign) {
    double[] sums = new double[one.length];
    for (int channel = 0; channel < sums.length; channel++) {
      sums[channel] = one[channel] + sign * other[channel];
    }
    return sums;
  }

  private static ColumnCells cells(SplittableRandom random, int outputs, boolean missing) {
    ColumnCells cells = new ColumnCells(MISSING + 1, 2 * outputs);
    for (int bin = 0; bin <= MISSING; bin++) {
      if (bin == ABSENT || (bin == MISSING && !missing)) {
        continue;
      }
      cells.counts[bin] = 1 + random.nextInt(50);
      for (int output = 0; output < outputs; output++) {
        cells.sums[bin * cells.channels + 2 * output] = 20 * random.nextDouble() - 10;
        cells.sums[bin * cells.channels + 2 * output + 1] = 10 * random.nextDouble();
      }
    }
    return cells;
  }

  private static Totals total(ColumnCells cells) {
    double[] sums = new double[cells.channels];
    int rows = 0;
    for (int bin = 0; bin <= MISSING; bin++) {
      sums = plus(sums, sums(cells, bin));
      rows += cells.counts[bin];
    }
    return new Totals(sums, rows);
  }

  private static BinnedRows binned() {
    Rows.Builder rows = Rows.builder(1);
    for (int code = 0; code < MISSING; code++) {
      rows.add(new double[] {code}, 0);
    }
    List<Feature> features = List.of(new Feature.Categorical("kind", List.of("a", "b", "c")));
    return BinnedRows.of(rows.build(), features, 16);
  }
}
