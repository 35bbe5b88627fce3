package io.holdfast.auditor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * Where a version promises labels to be, by "Bounds of scores" in {@code
 * docs/learning-under-shift.md}. Immutable but for its scratch; owned by one thread.
 */
final class Bounds {
  private final double[] coverage;
  private final double[] powers;
  private final Map<String, double[]> environments = new HashMap<>(); // low, high by level
  private final double[] unseen;
  private final @Nullable String field;
  private final double base;
  private final List<Trees> trees = new ArrayList<>();
  private final List<Double> decays = new ArrayList<>();

  /**
   * Those of a manifest that has some.
   *
   * @param field of the environment; null if there is none
   * @param features how many the version has
   */
  Bounds(
      GenericRecord of,
      @Nullable String field,
      int features,
      Function<String, @Nullable GenericRecord> segments)
      throws UnreadableException {
    this.field = field;
    coverage = Trees.doubles(of, "levels");
    powers = Trees.doubles(of, "powers");
    for (Object one : (Collection<?>) of.get("environments")) {
      GenericRecord own = (GenericRecord) one;
      environments.put(own.get("environment").toString(), ranges(own.get("ranges")));
    }
    unseen = ranges(of.get("unseen"));
    GenericRecord spread = (GenericRecord) of.get("spread");
    base = spread == null ? Double.NaN : (double) spread.get("base");
    for (Object one : spread == null ? List.of() : (Collection<?>) spread.get("segments")) {
      GenericRecord named = (GenericRecord) one;
      String hash = ModelLog.hex(named.get("sha256"));
      GenericRecord segment = segments.apply(hash);
      if (segment == null) {
        throw new UnreadableException("it names the segment " + hash + ", which is not there");
      }
      trees.add(new Trees(segment, features + 1, 1));
      decays.add((double) named.get("decay"));
    }
  }

  private double[] ranges(Object list) throws UnreadableException {
    Collection<?> ranges = (Collection<?>) list;
    if (ranges.size() != coverage.length || powers.length != coverage.length) {
      throw new UnreadableException("it has " + ranges.size() + " thresholds for its levels");
    }
    double[] all = new double[2 * ranges.size()];
    int at = 0;
    for (Object one : ranges) {
      all[at++] = (double) ((GenericRecord) one).get("low");
      all[at++] = (double) ((GenericRecord) one).get("high");
    }
    return all;
  }

  /** A digest of what the version promises of a record, as {@link #said(GenericRecord)} has it. */
  long of(GenericRecord record, double[] row, Version.Scored scored) {
    String name = field == null ? "" : Values.environment(record, field);
    double[] own = name == null ? null : environments.get(name);
    double[] ranges = own == null ? unseen : own;
    double spread = spread(row, scored.prediction());
    Digest digest = new Digest(own == null ? null : name, spread);
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int level = 0; level < coverage.length; level++) {
      double unit = StrictMath.pow(spread, powers[level]);
      low = Math.min(low, ranges[2 * level] * unit);
      high = Math.max(high, ranges[2 * level + 1] * unit);
      digest.add(coverage[level]);
      if (scored.probabilities().length == 0) {
        digest.add(scored.prediction() + low);
        digest.add(scored.prediction() + high);
      }
      for (int k = 0; k < scored.probabilities().length; k++) {
        double error = -StrictMath.log(Math.max(scored.probabilities()[k], Double.MIN_NORMAL));
        if (error >= low && error <= high) {
          digest.add(k);
        }
      }
    }
    return digest.sum;
  }

  private double spread(double[] row, double prediction) {
    if (trees.isEmpty()) {
      return Double.isNaN(base) ? 1 : StrictMath.exp(Math.clamp(base, -300, 300));
    }
    double[] values = java.util.Arrays.copyOf(row, row.length + 1);
    values[row.length] = prediction;
    double[] log = {base};
    for (int k = 0; k < trees.size(); k++) {
      trees.get(k).addTo(values, decays.get(k), log);
    }
    return StrictMath.exp(Math.clamp(log[0], -300, 300));
  }

  /** A digest of what a score or an example says; 0 if it says nothing. */
  static long said(GenericRecord message) {
    GenericRecord said = (GenericRecord) message.get("uncertainty");
    if (said == null) {
      return 0;
    }
    Object name = said.get("environment");
    Digest digest = new Digest(name == null ? null : name.toString(), (double) said.get("spread"));
    for (Object one : (Collection<?>) said.get("levels")) {
      GenericRecord level = (GenericRecord) one;
      digest.add((double) level.get("coverage"));
      for (String end : List.of("lower", "upper")) {
        if (level.get(end) != null) {
          digest.add((double) level.get(end));
        }
      }
      for (Object ofClass : (Collection<?>) level.get("classes")) {
        digest.add((int) ofClass);
      }
    }
    return digest.sum;
  }

  private static final class Digest {
    private long sum;

    Digest(@Nullable String environment, double spread) {
      sum = environment == null ? 7 : Digests.of(environment);
      add(spread);
    }

    void add(double number) {
      sum = Digests.of(new double[] {Double.longBitsToDouble(sum), number});
    }
  }
}
