package io.holdfast.schemas.topic;

import io.holdfast.schemas.settings.Settings;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program's first question to the broker, which one that starts or is busy may take its time to
 * answer. Stateless.
 */
public final class FirstAnswer {
  private static final Logger LOG = LoggerFactory.getLogger(FirstAnswer.class);
  private static final Duration FIRST_LIMIT = Duration.ofSeconds(5);
  private static final Duration LONGEST_LIMIT = Duration.ofMinutes(1);

  private FirstAnswer() {}

  /**
   * Asks once.
   *
   * @throws TopicException in one sentence, if there is no answer in some seconds
   */
  public static void ask(Map<String, String> kafka) {
    Throwable error = error(kafka, FIRST_LIMIT);
    if (error != null) {
      throw new TopicException(ClientSettings.explain(kafka, error), error);
    }
  }

  /**
   * Asks until there is an answer, as long as the broker takes connections, and logs a sentence
   * each time that there is none.
   *
   * @return within what time there was one: other questions may take as long
   * @throws TopicException in one sentence, if the broker cannot be reached or refuses, or if the
   *     thread was interrupted
   */
  public static Duration await(Settings settings) {
    Map<String, String> kafka = settings.kafka();
    Duration limit = FIRST_LIMIT;
    while (true) {
      Throwable error = error(kafka, limit);
      if (error == null) {
        return limit;
      }
      boolean late = error instanceof TimeoutException || error instanceof DisconnectException;
      if (!late || Reach.of(kafka) != Reach.SILENT) {
        throw new TopicException(ClientSettings.explain(kafka, error), error);
      }
      limit = Collections.min(List.of(limit.multipliedBy(2), LONGEST_LIMIT));
      String problem = ClientSettings.explain(kafka, error);
      LOG.warn("{}; it is asked again, for up to {} s", problem, limit.toSeconds());
    }
  }

  /** What came instead of an answer; null if it came. */
  private static @Nullable Throwable error(Map<String, String> kafka, Duration limit) {
    try (Admin admin = Admin.create(ClientSettings.admin(kafka, limit))) {
      admin.describeCluster().nodes().get();
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (KafkaException e) {
      return e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new KafkaException("it was told to stop before there was an answer");
    }
  }
}
