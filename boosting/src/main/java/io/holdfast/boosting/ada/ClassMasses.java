package io.holdfast.boosting.ada;

/** The weight of each class in each of some groups of rows. Owned by one thread. */
final class ClassMasses {
  /** Masses closer than this, of a total of 1, are equal: the rest is rounding. */
  static final double ROUNDING = 1e-12;

  private final int classes;
  private final double[] masses; // of class k in group g at g · classes + k

  ClassMasses(int groups, int classes) {
    this.classes = classes;
    masses = new double[groups * classes];
  }

  void add(int group, int label, double mass) {
    masses[group * classes + label] += mass;
  }

  /** The heaviest class of a group; of equally heavy ones the lowest. */
  int heaviest(int group) {
    return heaviest(masses, group * classes, classes);
  }

  /** The heaviest of {@code masses[from, from + classes)}; of equally heavy ones the first. */
  static int heaviest(double[] masses, int from, int classes) {
    int best = 0;
    for (int k = 1; k < classes; k++) {
      if (masses[from + k] > masses[from + best] + ROUNDING) {
        best = k;
      }
    }
    return best;
  }

  /** 1 − Σ_k p_k² of one group, p_k being class k's share; 0 for an empty group. */
  double gini(int group) {
    double total = total(group);
    double impurity = total > 0 ? 1 : 0;
    for (int k = 0; k < classes && total > 0; k++) {
      double share = masses[group * classes + k] / total;
      impurity -= share * share;
    }
    return impurity;
  }

  /** The groups' Gini impurities, weighted by what the groups weigh. */
  double gini() {
    double sum = 0;
    double all = 0;
    for (int group = 0; group < masses.length / classes; group++) {
      sum += total(group) * gini(group);
      all += total(group);
    }
    return all > 0 ? sum / all : 0;
  }

  private double total(int group) {
    double total = 0;
    for (int k = 0; k < classes; k++) {
      total += masses[group * classes + k];
    }
    return total;
  }
}
