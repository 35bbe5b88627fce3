package io.holdfast.trainer.drift;

import com.tdunning.math.stats.MergingDigest;
import com.tdunning.math.stats.ScaleFunction;
import com.tdunning.math.stats.TDigest;
import io.holdfast.schemas.reference.DistributionSketch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * Sketches of distributions, made of values and of one another: t-digests, and the values
 * themselves where only a few occur. A function of what they are made of. Stateless.
 */
final class Sketches {
  /*
   * With the scale function K_0 a centroid stands for at most 2 / compression of the rows wherever
   * it lies: ranks are asked for everywhere, not in the tails. It is plain arithmetic, where the
   * other scale functions take logarithms, whose last bit may differ by machine. (The library's
   * sort picks pivots at random; it is stable, so that its result is one.) Values are added in
   * ascending order, sketches in the order given.
   *
   * A digest's first and last centroid stand for a row each, and the library asserts that of what it
   * merges. So a value that stands for many rows is added as often.
   */
  static final int FINEST = 100;

  /** Of t-digests; those below have their centroids merged further. */
  static final int[] COMPRESSIONS = {FINEST, 50, 25};

  /** In the library's bytes: behind its encoding, least value, largest value and compression. */
  private static final int COUNT_AT = Integer.BYTES + 3 * Double.BYTES;

  private Sketches() {}

  /** So many values are kept as they are. */
  private static int mostValues(int compression) {
    return compression * 2 / 3;
  }

  /**
   * Of values.
   *
   * @param sorted finite and ascending
   */
  static DistributionSketch of(double[] sorted) {
    double[] values = new double[mostValues(FINEST)];
    long[] weights = new long[values.length];
    int size = 0;
    for (double value : sorted) {
      if (size == 0 || value != values[size - 1]) {
        if (size == values.length) {
          return sketch(digest(sorted, FINEST));
        }
        values[size++] = value;
      }
      weights[size - 1]++;
    }
    return new DistributionSketch(true, Arrays.copyOf(values, size), Arrays.copyOf(weights, size));
  }

  /** Of all that the parts stand for. */
  static DistributionSketch merged(List<DistributionSketch> parts, int compression) {
    List<DistributionSketch> filled = parts.stream().filter(part -> part.size() > 0).toList();
    if (filled.isEmpty()) {
      return parts.getFirst();
    }
    if (filled.stream().allMatch(DistributionSketch::exact)) {
      TreeMap<Double, Long> counts = new TreeMap<>();
      for (DistributionSketch part : filled) {
        for (int place = 0; place < part.size(); place++) {
          counts.merge(part.value(place), part.weight(place), Long::sum);
        }
      }
      if (counts.size() <= mostValues(compression)) {
        return new DistributionSketch(
            true,
            counts.keySet().stream().mapToDouble(Double::doubleValue).toArray(),
            counts.values().stream().mapToLong(Long::longValue).toArray());
      }
    }
    List<TDigest> digests = new ArrayList<>(filled.size());
    for (DistributionSketch part : filled) {
      digests.add(digest(part));
    }
    MergingDigest all = empty(compression);
    all.add(digests);
    return sketch(all);
  }

  private static MergingDigest empty(int compression) {
    MergingDigest digest = new MergingDigest(compression);
    digest.setScaleFunction(ScaleFunction.K_0);
    return digest;
  }

  private static MergingDigest digest(double[] sorted, int compression) {
    MergingDigest digest = empty(compression);
    for (double value : sorted) {
      digest.add(value);
    }
    return digest;
  }

  private static MergingDigest digest(DistributionSketch sketch) {
    MergingDigest digest = empty(FINEST);
    for (int place = 0; place < sketch.size(); place++) {
      double value = sketch.value(place);
      if (!sketch.exact()) {
        digest.add(value, Math.toIntExact(sketch.weight(place)));
        continue;
      }
      for (long row = sketch.weight(place); row > 0; row--) {
        digest.add(value);
      }
    }
    return digest;
  }

  private static DistributionSketch sketch(MergingDigest digest) {
    // The library's centroids are means worked out anew, off by a bit; its bytes are what it holds.
    ByteBuffer bytes = ByteBuffer.allocate(digest.byteSize());
    digest.asBytes(bytes);
    bytes.position(COUNT_AT);
    int count = bytes.getInt();
    double[] values = new double[count];
    long[] weights = new long[count];
    for (int k = 0; k < count; k++) {
      weights[k] = (long) bytes.getDouble();
      double mean = bytes.getDouble();
      values[k] = k == 0 ? mean : Math.max(mean, values[k - 1]);
    }
    return new DistributionSketch(false, values, weights);
  }
}
