package io.holdfast.bench.capacity;

import java.util.Arrays;
import java.util.SplittableRandom;

/** The models of one configuration, on instances that all serve them. Immutable. */
final class Group {
  private static final double COMMITS = 10; // a second, of a client that has something to commit

  private final double[] rates;
  private final int[] partitions;
  private final int[] from;
  private final Layout.Given given;

  /** Of all models' rates and partitions those of its members. */
  Group(int[] members, double[] rates, int[] partitions, Layout.Given given) {
    this.rates = Arrays.stream(members).mapToDouble(model -> rates[model]).toArray();
    this.partitions = Arrays.stream(members).map(model -> partitions[model]).toArray();
    this.given = given;
    var random = new SplittableRandom(given.seed());
    from = random.ints(members.length, 0, Integer.MAX_VALUE).toArray();
  }

  /** The fewest of which none is too busy; no more than there are partitions to share out. */
  int instances(int most) {
    double mine = given.machine().cores() * given.machine().use();
    int limit = Math.min(most, Arrays.stream(partitions).sum());
    int count = Math.clamp((int) Math.ceil(Arrays.stream(busy(1)).sum() / mine), 1, limit);
    while (count < limit && Arrays.stream(busy(count)).max().orElse(0) > mine) {
      count++;
    }
    return count;
  }

  /** Cores that are busy in each instance. */
  double[] busy(int count) {
    double[] busy = new double[count];
    for (int k = 0; k < rates.length; k++) {
      double each = rates[k] / partitions[k] * given.unit().serviceMicros() / 1e6;
      for (int partition = 0; partition < partitions[k]; partition++) {
        busy[(from[k] % count + partition) % count] += each;
      }
    }
    return busy;
  }

  /** Cores of the brokers for the transactions of scores. */
  double transactionCores(int count) {
    double micros = 0;
    for (int k = 0; k < rates.length; k++) {
      int clients = Math.min(count, partitions[k]);
      double commits = Math.min(COMMITS, rates[k] / clients) * clients;
      double touched = Math.min((double) partitions[k] / clients, rates[k] / commits);
      double each =
          given.unit().transactionMicros()
              + (1 + touched) * given.unit().partitionMicros(); // and that of offsets
      micros += commits * each;
    }
    return micros / 1e6;
  }
}
