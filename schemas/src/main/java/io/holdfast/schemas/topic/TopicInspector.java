package io.holdfast.schemas.topic;

import io.holdfast.schemas.settings.Settings;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidPartitionsException;

/** Looks at topics again and again, by one connection. Thread-safe. */
public final class TopicInspector implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final Settings settings;
  private final Admin admin;

  /**
   * A topic that is there.
   *
   * @param id another one if it was deleted and made anew
   */
  public record Topic(Uuid id, int partitions) {}

  public TopicInspector(Settings settings) {
    this.settings = settings;
    this.admin = Admin.create(ClientSettings.admin(settings.kafka(), LIMIT));
  }

  /**
   * Those of the topics that there are, by name.
   *
   * @throws TopicException in one sentence, if the broker does not say
   */
  public Map<String, Topic> look(Collection<String> names) {
    try {
      Map<String, Topic> topics = new LinkedHashMap<>();
      TopicCheck.describe(admin, names)
          .forEach(
              (name, topic) ->
                  topics.put(name, new Topic(topic.topicId(), topic.partitions().size())));
      return topics;
    } catch (ExecutionException | KafkaException | InterruptedException e) {
      throw ClientSettings.failure(settings.kafka(), e);
    }
  }

  /**
   * Gives a topic more partitions, which begin empty.
   *
   * @throws TopicException in one sentence, if the broker refuses
   */
  public static void grow(Settings settings, String topic, int partitions) {
    try (Admin admin = Admin.create(ClientSettings.admin(settings.kafka(), LIMIT))) {
      admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions))).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof InvalidPartitionsException)) { // someone else was faster
        throw new TopicException(ClientSettings.explain(settings.kafka(), e.getCause()), e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
  }
}
