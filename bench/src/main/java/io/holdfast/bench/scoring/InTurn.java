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
 * @param warmUp runs that do not count
 * @param runs runs that do
 */
record InTurn(int warmUp, int runs) {
  /** Microseconds of processor time a row: the median of each contender's runs, by its name. */
  Map<String, Double> micros(Map<String, Contender> contenders, int rows, int block) {
    var clock = ManagementFactory.getThreadMXBean();
    List<Contender> all = new ArrayList<>(contenders.values());
    double[][] micros = new double[all.size()][runs];
    double sum = 0;
    for (int run = -warmUp; run < runs; run++) {
      for (int k = 0; k < micros.length; k++) {
        Contender contender = all.get(k);
        long start = clock.getCurrentThreadCpuTime();
        for (int from = 0; from + block <= rows; from += block) {
          sum += contender.score(from, block);
        }
        long nanos = clock.getCurrentThreadCpuTime() - start;
        if (run >= 0) {
          micros[k][run] = nanos / 1000.0 / rows;
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
