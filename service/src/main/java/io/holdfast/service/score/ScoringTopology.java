package io.holdfast.service.score;

import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.service.model.ModelSource;
import io.holdfast.service.route.DeadLetters;
import io.holdfast.service.route.Endpoints;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The stateless topology that scores. For every model:
 *
 * <pre>
 * records -> score -+-> scores        one for every record that can be decoded
 *                   +-> shadow scores another for it, while a version shadows the one that serves
 *                   +-> dead letters  one for every record that cannot; and the records whose label
 *                   |                 inside them cannot be used, though they were scored
 *                   +-> examples      where labels are inside the records
 *                   +-> join topic    where they come apart: each with its score, by its id
 * </pre>
 *
 * <p>So a record has exactly one outcome as a record: a score or a dead letter. A label inside a
 * record is a second thing with an outcome of its own: an example; nothing, counted as absent, if
 * it is null (not known yet); or a dead letter with the label's fault as its reason.
 *
 * <p>Scores and examples go to the partition number of their record and carry its timestamp.
 */
public final class ScoringTopology {
  private ScoringTopology() {}

  /**
   * Builds the topology and starts nothing.
   *
   * @param written the framing of what is written
   * @param ahead null: each record is scored by itself
   */
  public static Topology of(
      Collection<ModelSettings> models,
      RecordFraming framing,
      WrittenFramings written,
      ModelSource active,
      MeterRegistry meters,
      Troubles troubles,
      @Nullable ScoreAhead ahead) {
    Topology topology = new Topology();
    Set<String> sources = new HashSet<>();
    for (ModelSettings model : models) {
      String records = model.topics().records();
      String source = "records-" + records;
      if (sources.add(records)) { // models may score the same topic
        List<String> readers =
            models.stream()
                .filter(reader -> reader.topics().records().equals(records))
                .map(ModelSettings::name)
                .toList();
        Endpoints.addSource(topology, source, records, readers, troubles);
      }
      ScoringNames names = ScoringNames.of(model.name());
      ScoringProcessor.Parts parts =
          new ScoringProcessor.Parts(
              model,
              names,
              framing,
              written,
              active,
              meters,
              ahead,
              new LiveExpectation(meters, model.name(), model.booster().objective()),
              new DeadLetters(meters, model),
              troubles);
      topology.addProcessor(names.score(), () -> new ScoringProcessor(parts), source);
      ModelTopics topics = model.topics();
      Endpoints.addSamePartition(topology, names.scores(), topics.scores(), names.score());
      Endpoints.addSamePartition(
          topology, names.shadowScores(), topics.shadowScores(), names.score());
      Endpoints.addAnyPartition(topology, names.deadLetters(), topics.deadLetters(), names.score());
      if (model.labels() instanceof Labels.InRecord) {
        Endpoints.addSamePartition(topology, names.examples(), topics.examples(), names.score());
      } else {
        Endpoints.addByKey(topology, names.join(), topics.join(), names.score());
      }
    }
    return topology;
  }
}
