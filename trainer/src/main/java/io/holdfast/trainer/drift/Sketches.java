package io.holdfast.trainer.drift;

import com.tdunning.math.stats.MergingDigest;
import com.tdunning.math.stats.ScaleFunction;
import com.tdunning.math.stats.TDigest;
import io.holdfast.schemas.reference.DistributionSketch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * Makes sketches of distributions from values, or merges them: t-digests, or the values themselves
 * where there are few. Deterministic and stateless.
 */
final class Sketches {
  /*
   * With the scale function K_0 a centroid stands for at most 2 / compression of the rows wherever it
   * lies: ranks are asked for everywhere, not in the tails. It is plain arithmetic; the others take
   * logarithms, whose last bit may differ by machine. (The library's sort picks pivots at random, but
   * is stable.) Values are added in ascending order, sketches in the order given.
   *
   * A digest's first and last centroid stand for a row each, which the library asserts of what it
   * merges. So a value that stands for many rows is added as often.
   */
  static final int FINEST = 100;

  static final int[] COMPRESSIONS = {FINEST, 50, 25};

  /** In the library's bytes, behind encoding, least value, largest value and compression. */
  private static final int COUNT_AT = Integer.BYTES + 3 * Double.BYTES;

  private Sketches() {}

  /** Up to so many values are kept as they are. */
  private static int mostValues(int compression) {
    return compression * 2 / 3;
  }

  /** Of finite values in ascending order. */
  static DistributionSketch of(double[] sorted) {
    double[] values = new double[mostValues(FINEST)];
    long[] weights = new long[values.length];
    int size = 0;
    for (double value : sorted) {
      if (size == 0 || value != values[size - 1]) {
        if (size == values.length) {
          MergingDigest digest = empty(FINEST);
          Arrays.stream(sorted).forEach(digest::add);
          return sketch(digest);
        }
        values[size++] = value;
      }
      weights[size - 1]++;
    }
    return new DistributionSketch(true, Arrays.copyOf(values, size), Arrays.copyOf(weights, size));
  }

  /** Of all rows of the parts. */
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
    MergingDigest all = empty(compression);
    all.add(filled.stream().map(Sketches::digest).toList());
    return sketch(all);
  }

  private static MergingDigest empty(int compression) {
    MergingDigest digest = new MergingDigest(compression);
    digest.setScaleFunction(ScaleFunction.K_0);
    return digest;
  }

  private static TDigest digest(DistributionSketch sketch) {
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
    // The library computes its centroids' means anew, off by a bit; its bytes are what it holds.
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
