package io.holdfast.schemas.log;

import io.holdfast.schemas.settings.KafkaKeys;
import io.holdfast.schemas.topic.ClientSettings;
import io.holdfast.schemas.topic.TopicException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;

/** A first look at a broker, to fail within seconds. Stateless. */
public final class Broker {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private Broker() {}

  /** Returns if the broker answers and has all topics that a configuration names. */
  public static void require(Map<String, String> kafka, List<String> topics) {
    require(kafka, topics, "create what a configuration needs with holdfast topics create");
  }

  /**
   * Returns if the broker answers and has all of {@code topics}; else throws a TopicException.
   *
   * @param remedy what to do about a topic that is missing
   */
  public static void require(Map<String, String> kafka, List<String> topics, String remedy) {
    Map<String, Object> settings = new HashMap<>(KafkaKeys.admin(kafka));
    int millis = (int) LIMIT.toMillis();
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
    List<String> missing;
    try (Admin admin = Admin.create(settings)) {
      missing = new ArrayList<>(new TreeSet<>(topics));
      missing.removeAll(admin.listTopics().names().get());
    } catch (ExecutionException e) {
      throw new TopicException(ClientSettings.explain(kafka, e.getCause()), e);
    } catch (KafkaException e) {
      throw new TopicException(ClientSettings.explain(kafka, e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TopicException("the look at the broker was interrupted", e);
    }
    if (!missing.isEmpty()) {
      throw new TopicException(
          "the broker at "
              + kafka.get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG)
              + " has no topic "
              + String.join(", ", missing)
              + ": "
              + remedy);
    }
  }

  /** How many partitions a topic has. */
  public static int partitions(Map<String, String> kafka, String topic) {
    try (var consumer = PartitionLog.consumer(kafka)) {
      return consumer.partitionsFor(topic, LIMIT).size();
    } catch (KafkaException e) {
      throw new TopicException(
          "the partitions of " + topic + " are not known: " + ClientSettings.explain(kafka, e), e);
    }
  }
}
