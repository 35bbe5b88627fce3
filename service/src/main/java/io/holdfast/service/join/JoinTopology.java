package io.holdfast.service.join;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.service.route.RecordTime;
import io.holdfast.service.route.Sinks;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/**
 * The stateful topology that joins labels to the records they belong to. For every model whose
 * labels are in a topic of their own:
 *
 * <pre>
 * records -+
 * scores  -+-> join -+-> examples      record, score and label, once all three are there
 * labels  -+    |    +-> dead letters  labels that cannot be used, with the outcome as reason
 *               +-- store, with its changelog
 * </pre>
 *
 * <p>The three topics have equal partition counts and equal keys; everything stays in its
 * partition.
 */
public final class JoinTopology {
  private JoinTopology() {}

  /** Whether any of the models needs it. */
  public static boolean needed(Collection<ModelSettings> models) {
    return models.stream().anyMatch(model -> model.labels() instanceof Labels.InTopic);
  }

  /** Builds the topology and starts nothing. */
  public static Topology of(
      Collection<ModelSettings> models, Framing framing, MeterRegistry meters) {
    return of(models, framing, meters, Stores::persistentKeyValueStore);
  }

  static Topology of(
      Collection<ModelSettings> models,
      Framing framing,
      MeterRegistry meters,
      Function<String, KeyValueBytesStoreSupplier> stores) {
    Topology topology = new Topology();
    Set<String> sources = new HashSet<>();
    for (ModelSettings model : models) {
      if (model.labels() instanceof Labels.InTopic labels) {
        JoinNames names = JoinNames.of(model.name());
        var topics = model.topics();
        List<String> inputs = List.of(topics.records(), topics.scores(), topics.labels());
        for (String input : inputs) {
          if (sources.add(input)) { // models may share topics
            topology.addSource(
                AutoOffsetReset.earliest(),
                "source-" + input,
                new RecordTime(),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                input);
          }
        }
        var parts = new JoinProcessor.Parts(model, labels.maxWait(), names, framing, meters);
        topology.addProcessor(
            names.join(),
            () -> new JoinProcessor(parts),
            inputs.stream().map(input -> "source-" + input).toArray(String[]::new));
        topology.addStateStore(
            Stores.keyValueStoreBuilder(
                stores.apply(names.store()), Serdes.Bytes(), Serdes.ByteArray()),
            names.join());
        Sinks.addSamePartition(topology, names.examples(), topics.examples(), names.join());
        Sinks.addAnyPartition(topology, names.deadLetters(), topics.deadLetters(), names.join());
      }
    }
    return topology;
  }
}
