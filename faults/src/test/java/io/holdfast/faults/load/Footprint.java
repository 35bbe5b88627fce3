package io.holdfast.faults.load;

import static java.util.Objects.requireNonNull;

import io.holdfast.faults.Deployment;
import io.holdfast.faults.Fleet;
import io.holdfast.faults.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;

/**
 * What all scorers and trainers hold, and what the model topic does on the broker's disk.
 * Immutable.
 *
 * @param heap bytes that are reached, of each process
 */
record Footprint(List<Long> heap, List<Integer> threads, List<Integer> descriptors, long models) {
  private static final double GROWTH = 1.25;
  private static final long SOME_BYTES = 24 << 20;
  private static final int SOME = 12; // clients come and go

  static Footprint of(Deployment at) throws ExecutionException, InterruptedException {
    List<Long> heap = new ArrayList<>();
    List<Integer> threads = new ArrayList<>();
    List<Integer> descriptors = new ArrayList<>();
    for (Fleet fleet : List.of(at.scorers(), at.trainers())) {
      for (int which = 0; which < fleet.size(); which++) {
        Node node = fleet.node(which);
        heap.add(node.liveHeap());
        threads.add(node.threads());
        descriptors.add(node.descriptors());
      }
    }
    return new Footprint(heap, threads, descriptors, models(at));
  }

  private static long models(Deployment at) throws ExecutionException, InterruptedException {
    try (Admin admin = at.brokers().admin()) {
      Map<String, LogDirDescription> disks =
          requireNonNull(admin.describeLogDirs(List.of(1)).allDescriptions().get().get(1));
      return disks.values().stream()
          .flatMap(disk -> disk.replicaInfos().entrySet().stream())
          .filter(replica -> replica.getKey().topic().equals("holdfast.models"))
          .mapToLong(replica -> replica.getValue().size())
          .sum();
    }
  }

  /** Whether a later one is no larger, but for what comes and goes. */
  boolean holds(Footprint later) {
    boolean holds = true;
    for (int i = 0; i < heap.size(); i++) {
      holds &= later.heap.get(i) <= heap.get(i) * GROWTH + SOME_BYTES;
      holds &= later.threads.get(i) <= threads.get(i) + SOME;
      holds &= later.descriptors.get(i) <= descriptors.get(i) + SOME;
    }
    return holds;
  }
}
