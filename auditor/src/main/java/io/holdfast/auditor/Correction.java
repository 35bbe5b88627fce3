package io.holdfast.auditor;

import java.util.List;
import org.apache.avro.generic.GenericRecord;

/**
 * What corrects the probabilities of a version's classes, by "Corrected probabilities" in {@code
 * docs/learning-under-shift.md}. Immutable.
 */
final class Correction {
  private static final double LEAST = 1e-15; // no probability is taken to be less

  private final double[] slopes;
  private final double[] intercepts;

  /** That of a manifest that has one. */
  Correction(GenericRecord of) throws UnreadableException {
    slopes = Trees.doubles(of, "slopes");
    intercepts = Trees.doubles(of, "intercepts");
    if (slopes.length != intercepts.length) {
      throw new UnreadableException(
          "it corrects by " + slopes.length + " slopes and " + intercepts.length + " intercepts");
    }
  }

  /** What a user reads instead of what the link gives. */
  Version.Scored of(Version.Scored linked, boolean binary, List<String> classes)
      throws UnreadableException {
    double[] given = linked.probabilities();
    if (given.length != slopes.length) {
      throw new UnreadableException(
          "it corrects " + slopes.length + " classes, and has " + given.length);
    }
    double[] logs = new double[given.length];
    double highest = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < logs.length; k++) {
      logs[k] = slopes[k] * StrictMath.log(Math.max(LEAST, given[k])) + intercepts[k];
      highest = Math.max(highest, logs[k]);
    }
    double[] all = new double[logs.length];
    double sum = 0;
    for (int k = 0; k < all.length; k++) {
      all[k] = StrictMath.exp(logs[k] - highest);
      sum += all[k];
    }
    int likeliest = 0;
    for (int k = 0; k < all.length; k++) {
      all[k] /= sum;
      likeliest = all[k] > all[likeliest] ? k : likeliest;
    }
    int named = binary ? (all[1] > 0.5 ? 1 : 0) : likeliest;
    return new Version.Scored(
        binary ? all[1] : likeliest,
        all,
        classes.size() == all.length ? classes.get(named) : null,
        linked.exact());
  }
}
