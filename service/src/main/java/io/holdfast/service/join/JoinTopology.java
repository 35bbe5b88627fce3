package io.holdfast.service.join;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.service.route.RecordTime;
import io.holdfast.service.route.Sinks;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/**
 * The topology that joins labels to the records they belong to. For every model whose labels are in
 * a topic of their own:
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

  /** Whether any of the models needs it. */
  public static boolean needed(Collection<ModelSettings> models) {
    return models.stream().anyMatch(model -> model.labels() instanceof Labels.InTopic);
  }

  /**
   * Builds the topology and starts nothing.
   *
   * @param progress a model's
   * @param used is told each label of a model that makes an example
   */
  public static Topology of(
      Collection<ModelSettings> models,
      JoinFramings framings,
      MeterRegistry meters,
      Troubles troubles,
      Function<ModelSettings, InputProgress> progress,
      Function<ModelSettings, DoubleConsumer> used) {
    return of(models, framings, meters, troubles, progress, used, Stores::persistentKeyValueStore);
  }

  static Topology of(
      Collection<ModelSettings> models,
      JoinFramings framings,
      MeterRegistry meters,
      Troubles troubles,
      Function<ModelSettings, InputProgress> progress,
      Function<ModelSettings, DoubleConsumer> used,
      Function<String, KeyValueBytesStoreSupplier> stores) {
    Topology topology = new Topology();
    Set<String> sources = new HashSet<>();
    for (ModelSettings model : models) {
      if (model.labels() instanceof Labels.InTopic labels) {
        if (sources.add(model.topics().labels())) { // models may share a topic of labels
          String topic = model.topics().labels();
          addSource(topology, JoinNames.labels(model), topic, readersOf(topic, models), troubles);
        }
        add(
            topology,
            JoinParts.of(
                model,
                labels,
                framings,
                meters,
                troubles,
                progress.apply(model),
                used.apply(model)),
            stores);
      }
    }
    return topology;
  }

  private static void add(
      Topology topology, JoinParts parts, Function<String, KeyValueBytesStoreSupplier> stores) {
    JoinNames names = parts.names();
    var topics = parts.settings().topics();
    topology.addProcessor(
        names.readLabels(), () -> new LabelProcessor(parts), JoinNames.labels(parts.settings()));
    Sinks.addByKey(topology, names.labelsById(), topics.join(), names.readLabels());
    Sinks.addAnyPartition(
        topology, names.labelDeadLetters(), topics.deadLetters(), names.readLabels());

    addSource(topology, names.joinInputs(), topics.join(), List.of(), parts.troubles());
    topology.addProcessor(names.join(), () -> new JoinProcessor(parts), names.joinInputs());
    topology.addStateStore(
        Stores.keyValueStoreBuilder(
            stores.apply(names.store()), Serdes.Bytes(), Serdes.ByteArray()),
        names.join());
    Sinks.addByKey(topology, names.barriers(), topics.join(), names.join());
    Sinks.addSamePartition(topology, names.examples(), topics.examples(), names.join());
    Sinks.addAnyPartition(topology, names.deadLetters(), topics.deadLetters(), names.join());
  }

  private static List<String> readersOf(String labels, Collection<ModelSettings> models) {
    return models.stream()
        .filter(
            model ->
                model.labels() instanceof Labels.InTopic && model.topics().labels().equals(labels))
        .map(ModelSettings::name)
        .toList();
  }

  private static void addSource(
      Topology topology, String name, String topic, List<String> readers, Troubles troubles) {
    topology.addSource(
        AutoOffsetReset.earliest(),
        name,
        new RecordTime(readers, troubles),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        topic);
  }
}
