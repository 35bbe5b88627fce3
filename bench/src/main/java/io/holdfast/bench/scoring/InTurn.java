package io.holdfast.bench.scoring;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Contenders that score the same rows in turn, again and again, on one thread.
 *
 * <p>A turn is as many passes over the rows as take some processor time, the same for all. A turn
 * of one pass, a few hundred microseconds for the fastest, times above all how long it takes to
 * fetch again what the contenders before have driven out of the caches.
 *
 * @param warmUp turns that do not count
 * @param runs turns that do
 * @param turnMillis processor time that a turn takes at least; 0 makes it one pass
 */
record InTurn(int warmUp, int runs, int turnMillis) {
  /** Microseconds of processor time a row: the median of each contender's turns, by its name. */
  Map<String, Double> micros(Map<String, Contender> contenders, int rows, int block) {
    var clock = ManagementFactory.getThreadMXBean();
    List<Contender> all = new ArrayList<>(contenders.values());
    double[][] micros = new double[all.size()][runs];
    double sum = 0;
    for (int run = -warmUp; run < runs; run++) {
      for (int k = 0; k < micros.length; k++) {
        Contender contender = all.get(k);
        long start = clock.getCurrentThreadCpuTime();
        long nanos;
        int passes = 0;
        do {
          for (int from = 0; from + block <= rows; from += block) {
            sum += contender.score(from, block);
          }
          passes++;
          nanos = clock.getCurrentThreadCpuTime() - start;
        } while (nanos < turnMillis * 1_000_000L);
        if (run >= 0) {
          micros[k][run] = nanos / 1000.0 / rows / passes;
        }
      }
    }
    if (Double.isNaN(sum)) { // what is scored must be used
      throw new IllegalStateException("scores must be numbers");
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    int k = 0;
    for (String name : contenders.keySet()) {
      Arrays.sort(micros[k]);
      medians.put(name, micros[k++][runs / 2]);
    }
    return medians;
  }
}
