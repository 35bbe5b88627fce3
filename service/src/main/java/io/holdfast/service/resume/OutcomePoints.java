package io.holdfast.service.resume;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.ClientSettings;
import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import io.holdfast.schemas.topic.StreamsNames;
import io.holdfast.schemas.topic.TopicException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Resume points of one topic by what its outcomes say of their sources. Immutable. */
public final class OutcomePoints implements ResumePoints {
  private static final Logger LOG = LoggerFactory.getLogger(OutcomePoints.class);

  private final Map<String, String> kafka;
  private final String group;
  private final String topic;
  private final List<OutcomeTopic> outcomes;

  private OutcomePoints(
      Map<String, String> kafka, String group, String topic, List<OutcomeTopic> outcomes) {
    this.kafka = kafka;
    this.group = group;
    this.topic = topic;
    this.outcomes = outcomes;
  }

  /** Of a model's records: each has a score or a dead letter. */
  public static ResumePoints ofRecords(Settings settings, ModelSettings model) {
    String records = model.topics().records();
    return new OutcomePoints(
        settings.kafka(),
        StreamsNames.score(settings, model),
        records,
        List.of(OutcomeTopic.scores(model), OutcomeTopic.letters(model, Subject.RECORD, records)));
  }

  /** Of a model's labels: each has gone to the join's topic, or is a dead letter. */
  public static ResumePoints ofLabels(Settings settings, ModelSettings model) {
    String labels = model.topics().labels();
    return new OutcomePoints(
        settings.kafka(),
        StreamsNames.join(settings, model),
        labels,
        List.of(OutcomeTopic.labels(model), OutcomeTopic.letters(model, Subject.LABEL, labels)));
  }

  @Override
  public Map<TopicPartition, Long> of(Collection<TopicPartition> partitions) {
    Set<Integer> wanted =
        partitions.stream()
            .filter(partition -> partition.topic().equals(topic))
            .map(TopicPartition::partition)
            .collect(Collectors.toCollection(TreeSet::new));
    Map<TopicPartition, Long> points = new HashMap<>();
    if (wanted.isEmpty()) {
      return points;
    }
    try (RangeReader committed = new RangeReader(kafka, "read_committed");
        RangeReader all = new RangeReader(kafka, "read_uncommitted")) {
      var search = new OutcomeSearch(committed, all, topic, wanted);
      outcomes.forEach(search::in);
      search
          .points(group)
          .forEach(
              (partition, offset) -> {
                points.put(new TopicPartition(topic, partition), offset);
                LOG.warn(
                    "{}-{}: group {} has no committed offset, so it goes on at {}, behind the last message"
                        + " that has an outcome",
                    topic,
                    partition,
                    group,
                    offset);
              });
      return points;
    } catch (KafkaException e) {
      throw new TopicException(
          "how far " + topic + " has outcomes cannot be seen: " + ClientSettings.explain(kafka, e),
          e);
    }
  }
}
