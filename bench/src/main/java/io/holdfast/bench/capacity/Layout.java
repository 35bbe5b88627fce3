package io.holdfast.bench.capacity;

import io.holdfast.bench.pipeline.UnitCosts;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A load on instances: models share out over configurations (groups of instances that serve the
 * same models), and a model's partitions over the instances of its group, evenly, from an instance
 * by chance, as Kafka does for groups that know nothing of each other. Immutable.
 */
final class Layout {
  private static final int REPLICAS = 3;
  private static final int LEAST_BROKERS = 3;

  private final Map<Limit, Double> use = new EnumMap<>(Limit.class);
  private final int[] instances;
  private final int brokers;
  private final int trainers;

  /** Measured costs and what there is. */
  record Given(UnitCosts unit, ModelCosts model, Machine machine, long seed) {}

  /** As many instances, brokers and trainers as it needs, in so many configurations. */
  Layout(Demand demand, int configurations, Given given) {
    this(demand, configurations, Integer.MAX_VALUE, given);
  }

  /** With at most so many brokers, trainers and instances of a configuration. */
  Layout(Demand demand, int configurations, int most, Given given) {
    double[] rates = demand.rates();
    int[] partitions = demand.shares(rates);
    int[] group = groups(rates, configurations);
    instances = new int[configurations];
    double hottest = 0;
    double transactions = 0;
    for (int k = 0; k < configurations; k++) {
      int number = k;
      int[] members =
          IntStream.range(0, rates.length).filter(model -> group[model] == number).toArray();
      var of = new Group(members, rates, partitions, given);
      instances[k] = of.instances(most);
      double[] busy = of.busy(instances[k]);
      hottest = Math.max(hottest, Arrays.stream(busy).max().orElse(0));
      transactions += of.transactionCores(instances[k]);
    }
    double fullest = 0;
    for (int k = 0; k < rates.length; k++) {
      fullest = Math.max(fullest, rates[k] / partitions[k] * given.unit().threadMicros() / 1e6);
    }
    use.put(Limit.PARTITION, fullest / given.machine().use());
    service(ceil((double) demand.models() / configurations), hottest, given);
    brokers = brokers(demand, partitions, transactions, most, given);
    trainers = trainers(demand, most, given);
  }

  private void service(int models, double hottest, Given given) {
    Machine machine = given.machine();
    ModelCosts model = given.model();
    use.put(Limit.SERVICE_PROCESSOR, hottest / machine.cores() / machine.use());
    use.put(Limit.SERVICE_THREADS, (double) models * model.threads() / machine.threads());
    use.put(Limit.SERVICE_HEAP, models * model.heapMib() / machine.heapMib() / machine.use());
    use.put(Limit.START, models * model.startSeconds() / machine.cores() / machine.startSeconds());
  }

  private int brokers(Demand demand, int[] partitions, double transactions, int most, Given given) {
    Machine machine = given.machine();
    UnitCosts unit = given.unit();
    double bytes = unit.recordBytes() + unit.scoreBytes() + demand.labelled() * unit.exampleBytes();
    double busy = demand.records() * unit.brokerMicros() / 1e6 + transactions;
    Map<Limit, Double> of = new EnumMap<>(Limit.class);
    of.put(Limit.BROKER_PROCESSOR, busy / machine.brokerCores() / machine.use());
    of.put(Limit.BROKER_BYTES, REPLICAS * demand.records() * bytes / machine.brokerBytes());
    of.put(
        Limit.BROKER_PARTITIONS,
        (double) REPLICAS
            * given.model().topicsOfPartitions()
            * Arrays.stream(partitions).sum()
            / machine.brokerPartitions());
    int least = of.values().stream().mapToInt(Layout::ceil).max().orElse(0);
    int count = Math.clamp(least, LEAST_BROKERS, Math.max(LEAST_BROKERS, most));
    of.forEach((limit, one) -> use.put(limit, one / count));
    return count;
  }

  private int trainers(Demand demand, int most, Given given) {
    Machine machine = given.machine();
    double windows = demand.records() * demand.labelled() / demand.windowRows();
    double cores = windows * given.model().windowMillis() / 1e3;
    double busy = cores / machine.cores() / machine.use();
    double threads = (double) demand.models() * given.model().trainerThreads() / machine.threads();
    int count = Math.clamp(ceil(Math.max(busy, threads)), 1, most);
    use.put(Limit.TRAINER_PROCESSOR, busy / count);
    use.put(Limit.TRAINER_THREADS, threads / count);
    return count;
  }

  /** How much of a limit is used; more than 1 is too much. */
  double use(Limit limit) {
    return use.getOrDefault(limit, 0.0);
  }

  /** The limit that is nearest, or passed furthest. */
  Limit first() {
    return use.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  /** Whether nothing is used beyond its limit. */
  boolean holds() {
    return use.values().stream().allMatch(share -> share <= 1);
  }

  int instances() {
    return Arrays.stream(instances).sum();
  }

  int brokers() {
    return brokers;
  }

  int trainers() {
    return trainers;
  }

  /** The configuration of each model: the next largest goes to the one with fewest records. */
  private static int[] groups(double[] rates, int configurations) {
    int most = ceil((double) rates.length / configurations);
    double[] load = new double[configurations];
    int[] count = new int[configurations];
    int[] group = new int[rates.length];
    for (int k = 0; k < rates.length; k++) {
      int least = -1;
      for (int g = 0; g < configurations; g++) {
        if (count[g] < most && (least < 0 || load[g] < load[least])) {
          least = g;
        }
      }
      group[k] = least;
      load[least] += rates[k];
      count[least]++;
    }
    return group;
  }

  private static int ceil(double value) {
    return (int) Math.ceil(value);
  }
}
