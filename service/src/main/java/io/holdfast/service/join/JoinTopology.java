package io.holdfast.service.join;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.service.route.Endpoints;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/**
 * The topology that joins labels, of a model that has them in a topic of their own, to the records
 * they belong to:
 *
 * <pre>
 * labels -> read -+-> join topic     by id, where scoring sends what it has scored
 *                 +-> dead letters   labels that cannot be used
 *
 * join topic -> join -+-> examples      a scored record and its label
 *                |    +-> dead letters  labels that belong to no record, with the outcome as reason
 *                |    +-> join topic    barriers, each to its own partition
 *                +-- store, with its changelog
 * </pre>
 *
 * <p>Everything of an id is in one partition of the join topic, however records and labels are
 * partitioned; and in it, labels are decided at barriers, each of which comes after all records
 * that were there before it was begun ({@link InputProgress}).
 */
public final class JoinTopology {
  private JoinTopology() {}

  /** Builds the topology and starts nothing; {@code used} is told each label of an example. */
  public static Topology of(
      ModelSettings model,
      JoinFramings framings,
      MeterRegistry meters,
      Troubles troubles,
      InputProgress progress,
      DoubleConsumer used) {
    return of(model, framings, meters, troubles, progress, used, Stores::persistentKeyValueStore);
  }

  static Topology of(
      ModelSettings model,
      JoinFramings framings,
      MeterRegistry meters,
      Troubles troubles,
      InputProgress progress,
      DoubleConsumer used,
      Function<String, KeyValueBytesStoreSupplier> stores) {
    JoinParts parts = JoinParts.of(model, framings, meters, troubles, progress, used);
    JoinNames names = parts.names();
    ModelTopics topics = model.topics();
    Topology topology = new Topology();
    Endpoints.addSource(topology, names.labels(), topics.labels(), List.of(model.name()), troubles);
    topology.addProcessor(names.readLabels(), () -> new LabelProcessor(parts), names.labels());
    Endpoints.addByKey(topology, names.labelsById(), topics.join(), names.readLabels());
    Endpoints.addAnyPartition(
        topology, names.labelDeadLetters(), topics.deadLetters(), names.readLabels());
    Endpoints.addSource(topology, names.joinInputs(), topics.join(), List.of(), troubles);
    topology.addProcessor(names.join(), () -> new JoinProcessor(parts), names.joinInputs());
    topology.addStateStore(
        Stores.keyValueStoreBuilder(
            stores.apply(names.store()), Serdes.Bytes(), Serdes.ByteArray()),
        names.join());
    Endpoints.addByKey(topology, names.barriers(), topics.join(), names.join());
    Endpoints.addSamePartition(topology, names.examples(), topics.examples(), names.join());
    Endpoints.addAnyPartition(topology, names.deadLetters(), topics.deadLetters(), names.join());
    return topology;
  }
}
