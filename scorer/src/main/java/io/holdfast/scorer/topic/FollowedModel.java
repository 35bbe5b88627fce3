package io.holdfast.scorer.topic;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.topic.CompactedTopicReader;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.topic.TopicFollower;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.scorer.ScoringModel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The version of a model that serves, as the model topic says; verified as the service does, and
 * swapped whole while others score. Thread-safe.
 */
public final class FollowedModel implements AutoCloseable {
  private final String name;
  private final TopicFollower follower;
  private volatile @Nullable ScoringModel model;
  private volatile @Nullable String refused;

  private FollowedModel(Map<String, String> kafka, String topic, String name) {
    this.name = name;
    this.follower = new TopicFollower(kafka, topic, new Applying());
  }

  /**
   * Follows a model on a thread of its own, and waits for its first version.
   *
   * @param kafka client settings, passed through: {@code bootstrap.servers} at least
   * @param topic the model topic
   * @param patience how long to wait
   * @throws TopicException in one sentence, if no version serves by then
   */
  public static FollowedModel start(
      Map<String, String> kafka, String topic, String name, Duration patience) {
    var followed = new FollowedModel(kafka, topic, name);
    followed.follower.start();
    boolean read = followed.follower.awaitCaughtUp(patience);
    if (followed.model == null) {
      followed.close();
      String refused = followed.refused;
      throw new TopicException(
          refused != null
              ? refused
              : read
                  ? Sentence.of("the topic %s has no model %s that serves", topic, name)
                  : Sentence.of(
                      "the topic %s could not be read to its end within %d s",
                      topic, patience.toSeconds()));
    }
    return followed;
  }

  /** The version that serves now. Ask for each record, or once for those that belong together. */
  public ScoringModel model() {
    ScoringModel known = model;
    if (known == null) {
      throw new IllegalStateException("no version of " + name + " serves");
    }
    return known;
  }

  /** Waits until what was on the topic at this call serves; false if it took too long. */
  public boolean awaitCurrent(Duration limit) {
    return follower.awaitCaughtUp(limit);
  }

  /** Why the newest version does not serve, in one sentence; null while it does. */
  public @Nullable String problem() {
    String failure = follower.failure();
    return failure == null ? refused : failure;
  }

  @Override
  public void close() {
    follower.close();
  }

  /** Of the reading thread alone. */
  private final class Applying implements CompactedTopicReader.Listener {
    private final Ledger ledger = Ledger.ofScorer(Set.of(name));

    @Override
    public void onRecord(ConsumerRecord<String, byte[]> record) {
      // What is bad is missing when its version is to serve, which says so.
      var _ = ledger.store(record.key(), record.value());
    }

    @Override
    public void onEnd() {
      List<Ledger.Event> events = ledger.settle();
      for (Ledger.Event event : events) {
        if (event instanceof Ledger.Event.Serves serves) {
          serve(serves.version());
        }
      }
      // After what serves in their place.
      for (Ledger.Event event : events) {
        if (event instanceof Ledger.Event.Rejected no) {
          refuse(no.version(), no.detail());
        }
      }
    }

    private void serve(LedgerVersion version) {
      try {
        model = ScoringModel.of(version);
        refused = null;
      } catch (IllegalArgumentException e) {
        refuse(version.number(), String.valueOf(e.getMessage()));
      }
    }

    private void refuse(long version, String why) {
      refused = Sentence.of("version %d of %s cannot serve: %s", version, name, why);
    }
  }
}
