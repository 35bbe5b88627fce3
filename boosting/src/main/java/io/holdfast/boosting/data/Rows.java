package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

/**
 * Labelled rows to train or evaluate on, oldest first. Immutable; safe to share.
 *
 * <p>Features are row-major: value {@code c} of row {@code r} is at {@code r * width + c}. A row
 * has an environment, by its place in {@link #environments()}, and perhaps continuous anchors.
 */
public final class Rows {
  private final int width;
  private final int size;
  private final double[] features;
  private final double[] labels;
  private final double[] weights;
  private final int[] environmentOf;
  private final List<String> environments;
  private final int anchors;
  private final double[] anchorValues;
  private final boolean unitWeights;

  private Rows(Builder builder) {
    width = builder.width;
    size = builder.size;
    anchors = builder.anchors;
    unitWeights = builder.unitWeights;
    boolean full = size == builder.labels.length; // it copies its arrays before it adds again
    features = full ? builder.features : Arrays.copyOf(builder.features, size * width);
    labels = full ? builder.labels : Arrays.copyOf(builder.labels, size);
    weights = full ? builder.weights : Arrays.copyOf(builder.weights, size);
    environmentOf = full ? builder.environmentOf : Arrays.copyOf(builder.environmentOf, size);
    double[] given = builder.anchorValues;
    anchorValues = full ? given : Arrays.copyOf(given, size * anchors);
    environments = List.copyOf(builder.environments);
  }

  private Rows(Rows other, double[] otherWeights) {
    width = other.width;
    size = other.size;
    anchors = other.anchors;
    features = other.features;
    labels = other.labels;
    environmentOf = other.environmentOf;
    anchorValues = other.anchorValues;
    environments = other.environments;
    weights = otherWeights;
    unitWeights = Arrays.stream(weights, 0, size).allMatch(weight -> weight == 1);
  }

  public static Builder builder(int width) {
    return new Builder(width, 0);
  }

  /** A builder for rows of {@code width} features and {@code anchors} continuous anchors. */
  public static Builder builder(int width, int anchors) {
    return new Builder(width, anchors);
  }

  public int size() {
    return size;
  }

  public int width() {
    return width;
  }

  /** The value of one feature; NaN if missing. */
  public double feature(int row, int column) {
    return features[row * width + column];
  }

  /** Copies one row's features to {@code target[0, width)}. */
  public void copyFeatures(int row, double[] target) {
    System.arraycopy(features, row * width, target, 0, width);
  }

  /** Copies one column to {@code target[0, size)}. */
  public void copyColumn(int column, double[] target) {
    for (int row = 0, at = column; row < size; row++, at += width) {
      target[row] = features[at];
    }
  }

  /** Copies {@code count} columns from {@code first} on, each to an array of its own. */
  void copyColumns(int first, int count, double[][] targets) {
    for (int row = 0, at = first; row < size; row++, at += width) {
      for (int k = 0; k < count; k++) {
        targets[k][row] = features[at + k];
      }
    }
  }

  /** The row's label; finite. */
  public double label(int row) {
    return labels[row];
  }

  /** The row's weight; finite and above 0. */
  public double weight(int row) {
    return weights[row];
  }

  public boolean unitWeights() {
    return unitWeights;
  }

  boolean equalWeights() {
    return Arrays.stream(weights, 0, size).allMatch(weight -> weight == weights[0]);
  }

  /** The row's environment, as an index into {@link #environments()}. */
  public int environment(int row) {
    return environmentOf[row];
  }

  /** The environments, in order of first appearance. */
  public List<String> environments() {
    return environments;
  }

  /** The number of continuous anchors of a row. */
  public int anchors() {
    return anchors;
  }

  /** The value of one continuous anchor; finite. */
  public double anchor(int row, int column) {
    return anchorValues[row * anchors + column];
  }

  /**
   * The same rows with other weights.
   *
   * @throws IllegalArgumentException if one of them, or their sum, is not finite and above 0
   */
  public Rows weighted(IntToDoubleFunction weightOf) {
    double[] others = new double[size];
    double total = 0;
    for (int row = 0; row < size; row++) {
      double weight = weightOf.applyAsDouble(row);
      total += weight;
      Check.that(
          weight > 0 && total < Double.POSITIVE_INFINITY,
          "the weight of row %s and the sum up to it must be finite and above 0: %s",
          row,
          weight);
      others[row] = weight;
    }
    return new Rows(this, others);
  }

  /** Some of these rows, in the order given, with the environments that these have. */
  public Rows subset(int[] chosen) {
    Builder subset = new Builder(width, anchors);
    double[] values = new double[width];
    double[] anchorsOfRow = new double[anchors];
    for (int row : chosen) {
      copyFeatures(row, values);
      System.arraycopy(anchorValues, row * anchors, anchorsOfRow, 0, anchors);
      String environment = environments.get(environmentOf[row]);
      subset.add(values, labels[row], weights[row], environment, anchorsOfRow);
    }
    return subset.build();
  }

  /** Collects rows. Not thread-safe. */
  public static final class Builder {
    private static final double[] NO_ANCHORS = {};
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final int width;
    private final int anchors;
    private final Map<String, Integer> codes = new HashMap<>();
    private final List<String> environments = new ArrayList<>();
    private int size;
    private double totalWeight;
    private boolean unitWeights = true;
    private double[] features;
    private double[] labels = new double[16];
    private double[] weights = new double[16];
    private int[] environmentOf = new int[16];
    private double[] anchorValues;

    private Builder(int width, int anchors) {
      Check.that(width >= 1, "a row must have at least 1 feature: %s", width);
      Check.that(anchors >= 0, "a row must have 0 or more anchors: %s", anchors);
      this.width = width;
      this.anchors = anchors;
      anchorValues = new double[16 * anchors];
      features = new double[16 * width];
    }

    /**
     * Makes room for that many rows, so that as many need no memory beside their own.
     *
     * @throws IllegalArgumentException if that many do not fit, or are there already
     */
    public Builder expecting(int rows) {
      int least = Math.max(1, size);
      Check.that(rows >= least, "expected rows must be at least %s: %s", least, rows);
      checkCapacity(rows);
      resize(rows);
      return this;
    }

    /**
     * Adds a row; {@code values} is copied.
     *
     * @param values one a feature: a number or the code of a category, NaN if missing
     * @param label what is to be predicted: a number, or for classes 0, 1, ...
     * @param weight how many rows of weight 1 it counts as
     * @param environment where or when the row comes from; equal names are one environment
     * @throws IllegalArgumentException if the values are not {@code width}, the label is not
     *     finite, or the weight or the sum of all weights is not finite and above 0
     */
    public Builder add(double[] values, double label, double weight, String environment) {
      return add(values, label, weight, environment, NO_ANCHORS);
    }

    /**
     * As above, with continuous anchors.
     *
     * @throws IllegalArgumentException as above, or for another number of anchors, or one not
     *     finite
     */
    public Builder add(
        double[] values, double label, double weight, String environment, double[] anchorsOfRow) {
      int given = values.length;
      Check.that(given == width, "row %s must have %s features: %s", size, width, given);
      Check.that(Double.isFinite(label), "the label of row %s must be finite: %s", size, label);
      boolean weighs = weight > 0 && weight < Double.POSITIVE_INFINITY;
      Check.that(weighs, "the weight of row %s must be finite and above 0: %s", size, weight);
      Check.that(
          totalWeight + weight < Double.POSITIVE_INFINITY,
          "the weights of all rows must have a finite sum: that up to row %s, with %s, is not",
          size,
          weight);
      int anchored = anchorsOfRow.length;
      Check.that(anchored == anchors, "row %s must have %s anchors: %s", size, anchors, anchored);
      for (double anchor : anchorsOfRow) {
        boolean finite = Double.isFinite(anchor);
        Check.that(finite, "the anchors of row %s must be finite: %s", size, anchor);
      }
      if (size == labels.length) {
        makeRoom(1);
      }
      System.arraycopy(values, 0, features, size * width, width);
      System.arraycopy(anchorsOfRow, 0, anchorValues, size * anchors, anchors);
      labels[size] = label;
      weights[size] = weight;
      totalWeight += weight;
      unitWeights &= weight == 1;
      environmentOf[size] = code(environment);
      size++;
      return this;
    }

    /**
     * Adds {@code count} rows of another builder, from its row {@code first} on.
     *
     * @throws IllegalArgumentException if these are no rows of it, their features or anchors are
     *     not as many, or all weights together are not finite
     */
    public Builder addRows(Builder other, int first, int count) {
      Check.that(
          other.width == width && other.anchors == anchors,
          "rows to add must have %s features and %s anchors: %s and %s",
          width,
          anchors,
          other.width,
          other.anchors);
      Check.that(
          first >= 0 && count >= 0 && first <= other.size - count,
          "there must be rows to add from %s on, %s of them: there are %s",
          first,
          count,
          other.size);
      double total = totalWeight;
      boolean units = unitWeights;
      for (int row = first; row < first + count; row++) {
        total += other.weights[row];
        units &= other.weights[row] == 1;
      }
      Check.that(
          total < Double.POSITIVE_INFINITY,
          "the weights of all rows must have a finite sum: that with %s more is not",
          count);
      if (count > labels.length - size) {
        makeRoom(count);
      }
      System.arraycopy(other.features, first * width, features, size * width, count * width);
      System.arraycopy(
          other.anchorValues, first * anchors, anchorValues, size * anchors, count * anchors);
      System.arraycopy(other.labels, first, labels, size, count);
      System.arraycopy(other.weights, first, weights, size, count);
      totalWeight = total;
      unitWeights = units;
      for (int row = first; row < first + count; row++) {
        environmentOf[size] = code(other.environments.get(other.environmentOf[row]));
        size++;
      }
      return this;
    }

    private int code(String environment) { // mostly that of the row before
      if (size > 0 && environments.get(environmentOf[size - 1]).equals(environment)) {
        return environmentOf[size - 1];
      }
      return codes.computeIfAbsent(environment, this::nextEnvironment);
    }

    public Builder add(double[] values, double label, String environment) {
      return add(values, label, 1, environment);
    }

    /** Adds a row of weight 1 to the environment without a name. */
    public Builder add(double[] values, double label) {
      return add(values, label, "");
    }

    public int size() {
      return size;
    }

    /** The rows so far; more may be added for others. */
    public Rows build() {
      return new Rows(this);
    }

    private int nextEnvironment(String environment) {
      environments.add(environment);
      return environments.size() - 1;
    }

    private void makeRoom(int more) {
      long needed = (long) size + more;
      checkCapacity(needed);
      resize((int) Math.max(needed, Math.min(2L * size, most())));
    }

    private int most() {
      return LARGEST_ARRAY / Math.max(width, anchors);
    }

    private void checkCapacity(long rows) {
      Check.that(
          rows <= most(),
          "rows of %s features and %s anchors must be at most %s: %s",
          width,
          anchors,
          most(),
          rows);
    }

    private void resize(int capacity) {
      features = Arrays.copyOf(features, capacity * width);
      labels = Arrays.copyOf(labels, capacity);
      weights = Arrays.copyOf(weights, capacity);
      environmentOf = Arrays.copyOf(environmentOf, capacity);
      anchorValues = Arrays.copyOf(anchorValues, capacity * anchors);
    }
  }
}
