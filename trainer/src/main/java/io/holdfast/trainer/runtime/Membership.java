package io.holdfast.trainer.runtime;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a member of the group in which trainers share the models' example topics, all
 * partitions of one together. Nothing is fetched through it: topics are read with other consumers.
 * {@link #run} is one thread's whole life; other methods may be called from any thread.
 */
final class Membership implements Runnable {
  /*
   * A process that was suspended may wrongly believe that a model is its own. Transactions are safe,
   * since only the last who opened the transactional id can publish; but it must not open it again and
   * again. So a trainer has its right confirmed by the group's coordinator, which takes a commit only from
   * a member of the present generation. The committed offset means nothing.
   *
   * `rights` and `asked` are guarded by this; the consumer is the thread's own.
   */
  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration COMMIT_LIMIT = Duration.ofSeconds(2);
  private static final Duration PROOF_LIMIT = Duration.ofSeconds(10);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);
  private static final Duration FIRST_WAIT = Duration.ofMillis(500);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
  private static final String NOTE = "a trainer's proof that it is a member; the offset is nothing";

  /** Made before it is needed: who runs out of files or memory may be able to make none then. */
  private static final State UNSAID = new State.Dead("an error that cannot be told");

  private final Settings settings;
  private final KafkaAccess kafka;
  private final Set<String> topics;
  private final Listener listener;
  private final MeterRegistry registry;
  private final StopSignal stop = new StopSignal();
  private final Set<String> rights = new HashSet<>();
  private final List<Question> asked = new ArrayList<>();
  private volatile State state = new State.Joining("");

  /** Called on the membership's thread; must not take long. */
  interface Listener {
    /** This process is to train what is in these topics. */
    void gained(Set<String> topics);

    /** These topics go to others when this returns. */
    void lost(Set<String> topics);

    /** It is a member. */
    void inside();

    /** It is no member and tries to join again, for a reason in a sentence. */
    void outside(String reason);
  }

  sealed interface State {
    /** Not a member yet, or no longer; the reason is empty if nothing went wrong. */
    record Joining(String reason) implements State {}

    /** It has a share of the models, which may be empty. */
    record Member() implements State {}

    /** It cannot join before somebody fixes something. */
    record Dead(String reason) implements State {}

    record Left() implements State {}
  }

  private record Question(String topic, CompletableFuture<Boolean> answer) {}

  Membership(
      Settings settings,
      KafkaAccess kafka,
      Set<String> topics,
      Listener listener,
      MeterRegistry registry) {
    this.settings = settings;
    this.kafka = kafka;
    this.topics = Set.copyOf(topics);
    this.listener = listener;
    this.registry = registry;
  }

  State state() {
    return state;
  }

  /** Leaves the group soon; does not wait for it. */
  void leave() {
    stop.give();
  }

  /**
   * Asks the group's coordinator whether this process has the right to a topic.
   *
   * @return true if it had at some moment after the call; false if it has not, or if that could not
   *     be found out in a few seconds
   */
  boolean proved(String topic) {
    var question = new Question(topic, new CompletableFuture<>());
    synchronized (this) {
      if (!rights.contains(topic)) {
        return false;
      }
      asked.add(question);
    }
    try {
      return question.answer().get(PROOF_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    } finally {
      synchronized (this) {
        asked.remove(question);
      }
    }
  }

  @Override
  @SuppressWarnings("IllegalCatch") // a thread's end: whatever ended it must be seen from outside
  public void run() {
    try {
      retry();
    } catch (Throwable e) {
      state = UNSAID;
      state = new State.Dead(e.toString());
      LOG.error("This trainer is no member of group {} any more", group(), e);
    } finally {
      lose(everything());
    }
  }

  private void retry() {
    Duration wait = FIRST_WAIT;
    while (!stop.given()) {
      try {
        follow();
      } catch (WakeupException e) {
        // seen by the loop's condition
      } catch (FencedInstanceIdException e) {
        state =
            dead(
                Sentence.of(
                    "Another trainer has joined the group %s as instance %s: give each trainer a"
                        + " holdfast.trainer.instanceId of its own.",
                    group(), settings.trainer().instanceId()));
        return;
      } catch (InvalidSessionTimeoutException e) {
        state =
            dead(
                Sentence.of(
                    "The broker takes no session time-out of %d ms: set"
                        + " holdfast.trainer.sessionTimeout to between its"
                        + " group.min.session.timeout.ms and group.max.session.timeout.ms.",
                    settings.trainer().sessionTimeout().toMillis()));
        return;
      } catch (KafkaException e) {
        wait = state instanceof State.Member ? FIRST_WAIT : StopSignal.doubled(wait, LONGEST_WAIT);
        String reason = kafka.explain(e);
        LOG.warn("Group {} is joined again in {} ms: {}", group(), wait.toMillis(), reason);
        state = new State.Joining(reason);
        listener.outside(reason);
        lose(everything());
        stop.await(wait);
      }
    }
    state = new State.Left();
  }

  private State dead(String reason) {
    LOG.error(reason);
    return new State.Dead(reason);
  }

  private void follow() {
    Consumer<byte[], byte[]> consumer = kafka.openMember();
    // All meters of a name must have the same tags.
    try (ClientMeters meters = new ClientMeters(registry, Tags.of("model", ""))) {
      meters.add(consumer);
      stop.waitsIn(consumer);
      consumer.subscribe(topics, new Rebalances(consumer));
      while (!stop.given()) {
        consumer.poll(POLL);
        answer(consumer);
      }
    } finally {
      stop.waitsIn(null);
      // Revokes all rights first. A static member leaves, too, so that its models need not wait.
      consumer.close(
          CloseOptions.timeout(CLOSE_LIMIT)
              .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }
  }

  private void answer(Consumer<byte[], byte[]> consumer) {
    List<Question> questions;
    synchronized (this) {
      if (asked.isEmpty()) {
        return;
      }
      questions = List.copyOf(asked);
    }
    boolean member;
    try {
      consumer.commitSync(
          Map.of(new TopicPartition(settings.topics().models(), 0), new OffsetAndMetadata(0, NOTE)),
          COMMIT_LIMIT);
      member = true;
    } catch (CommitFailedException e) {
      member = false; // the next poll tells the listener, and joins again
    } catch (RetriableException e) {
      return; // a rebalance, or a slow broker: asked again
    }
    synchronized (this) {
      asked.removeAll(questions);
    }
    // Rights change on this thread alone, so they are as they were when the commit was sent.
    Set<String> confirmed = member ? everything() : Set.of();
    for (Question question : questions) {
      question.answer().complete(confirmed.contains(question.topic()));
    }
  }

  private synchronized Set<String> everything() {
    return Set.copyOf(rights);
  }

  private void lose(Set<String> lost) {
    List<Question> vain = new ArrayList<>();
    synchronized (this) {
      rights.removeAll(lost);
      asked.removeIf(question -> !rights.contains(question.topic()) && vain.add(question));
    }
    vain.forEach(question -> question.answer().complete(false));
    if (!lost.isEmpty()) {
      listener.lost(lost);
    }
  }

  private String group() {
    return settings.trainer().group();
  }

  /** Called by the consumer inside its poll or close. */
  private final class Rebalances implements ConsumerRebalanceListener {
    private final Consumer<byte[], byte[]> consumer;

    Rebalances(Consumer<byte[], byte[]> consumer) {
      this.consumer = consumer;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      consumer.pause(partitions);
      partitions.forEach(partition -> consumer.seek(partition, 0)); // else it asks for offsets
      state = new State.Member();
      listener.inside();
      Set<String> gained = topicsOf(partitions);
      gained.removeAll(everything()); // a topic may have got more partitions
      if (!gained.isEmpty()) {
        LOG.info("This trainer trains what is in {}", gained);
        synchronized (Membership.this) {
          rights.addAll(gained);
        }
        listener.gained(gained);
      }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      Set<String> lost = topicsOf(partitions);
      if (!lost.isEmpty()) {
        LOG.info("This trainer gives up what is in {}", lost);
        lose(lost);
      }
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      Set<String> lost = topicsOf(partitions);
      LOG.warn("This trainer was not heard of for too long, and has lost what is in {}", lost);
      lose(lost);
    }

    private static Set<String> topicsOf(Collection<TopicPartition> partitions) {
      return partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet());
    }
  }
}
