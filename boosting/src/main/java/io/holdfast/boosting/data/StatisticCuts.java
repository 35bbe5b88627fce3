package io.holdfast.boosting.data;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.IntPredicate;

/** Groups of similar vectors, by cutting the group of the largest spread at its mean repeatedly. */
final class StatisticCuts {
  private static final double ROUNDING = 1e-24; // of a square: a smaller spread is none

  private final int width;
  private final double[] masses;
  private final double[] vectors;
  private final int groups;

  // A tree of cuts. A child c below 0 is group −1 − c.
  private final int[] axis;
  private final double[] cut;
  private final int[][] children;
  private int cuts;

  private final class Group {
    private final int[] members;
    private final int place; // of the child that it is: twice its parent's cut, and its side
    private final int axis;
    private final double mean;
    private final double spread; // mass times variance, of all axes

    private Group(int[] members, int place) {
      this.members = members;
      this.place = place;
      double sum = 0;
      double most = 0;
      double middle = Double.NaN;
      int across = 0;
      for (int k = 0; k < width; k++) {
        double mean = mean(k);
        double square = square(k, mean);
        sum += square;
        if (square > most) {
          most = square;
          middle = mean;
          across = k;
        }
      }
      spread = sum;
      mean = middle;
      axis = across;
    }

    private double mean(int k) {
      double all = 0;
      double sum = 0;
      for (int member : members) {
        all += masses[member];
        sum += masses[member] * vectors[member * width + k];
      }
      return sum / all;
    }

    private double square(int k, double mean) {
      double square = 0;
      double largest = 0;
      boolean below = false;
      boolean above = false;
      for (int member : members) {
        double value = vectors[member * width + k];
        square += masses[member] * (value - mean) * (value - mean);
        largest = Math.max(largest, masses[member] * value * value);
        below |= value <= mean;
        above |= value > mean;
      }
      return below && above && square > ROUNDING * largest ? square : 0;
    }

    private Group side(boolean above, int place) {
      IntPredicate chosen = member -> above == vectors[member * width + axis] > mean;
      return new Group(Arrays.stream(members).filter(chosen).toArray(), place);
    }
  }

  /**
   * At most {@code most} groups of the vectors with these numbers.
   *
   * @param vectors that of number m from {@code m · width} on
   */
  StatisticCuts(int[] members, double[] masses, double[] vectors, int width, int most) {
    this.width = width;
    this.masses = masses;
    this.vectors = vectors;
    axis = new int[most];
    cut = new double[most];
    children = new int[most][2];
    PriorityQueue<Group> parts =
        new PriorityQueue<>(
            Comparator.comparingDouble((Group group) -> -group.spread)
                .thenComparingInt(group -> group.place));
    parts.add(new Group(members, -1));
    while (parts.size() < most && parts.element().spread > 0) {
      Group whole = parts.remove();
      axis[cuts] = whole.axis;
      cut[cuts] = whole.mean;
      attach(whole.place, cuts);
      parts.add(whole.side(false, 2 * cuts));
      parts.add(whole.side(true, 2 * cuts + 1));
      cuts++;
    }
    groups = parts.size();
    Group[] found = parts.toArray(new Group[0]);
    Arrays.sort(found, Comparator.comparingInt(group -> group.place));
    for (int group = 0; group < groups; group++) {
      attach(found[group].place, -1 - group);
    }
  }

  private void attach(int place, int child) {
    if (place >= 0) {
      children[place >> 1][place & 1] = child;
    }
  }

  int groups() {
    return groups;
  }

  /** The group of the vector that stands from {@code at} on. */
  int group(double[] values, int at) {
    int node = cuts == 0 ? -1 : 0;
    while (node >= 0) {
      node = children[node][values[at + axis[node]] > cut[node] ? 1 : 0];
    }
    return -1 - node;
  }
}
