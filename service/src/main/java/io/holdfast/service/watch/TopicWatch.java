package io.holdfast.service.watch;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.topic.TopicInspector;
import io.holdfast.schemas.topic.TopicInspector.Topic;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the models' topics every few seconds, on a thread of its own, and says what is wrong
 * with them. Thread-safe.
 *
 * <p>A topic that was there counts as there until two looks in a row have missed it: a broker that
 * starts may not know it yet. While the broker does not answer, what was seen last holds.
 */
public final class TopicWatch implements AutoCloseable {
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Duration BETWEEN = Duration.ofMillis(500);
  private static final Duration LOOK_LIMIT = Duration.ofSeconds(12);

  private final Settings settings;
  private final Set<String> names = new TreeSet<>();
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long asked = 1;
  private long begun;
  private long done;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable TopicInspector inspector; // once it looks
  private volatile Seen seen = new Seen(Map.of(), Set.of(), false, null);

  /** What was seen last; {@code absent} are topics that the newest look has missed. */
  private record Seen(
      Map<String, Topic> topics, Set<String> absent, boolean looked, @Nullable String failure) {}

  /** Does not look yet; {@code others} are topics beside those that the settings name. */
  public TopicWatch(Settings settings, Collection<String> others) {
    this.settings = settings;
    names.addAll(others);
    names.add(settings.topics().models());
    for (ModelSettings model : settings.models().values()) {
      names.addAll(TopicCheck.scoringTopics(model));
      if (model.labels() instanceof ModelSettings.Labels.InTopic) {
        names.addAll(TopicCheck.joinTopics(model));
      }
    }
    this.thread = Thread.ofVirtual().name("holdfast-topic-watch").unstarted(this::watch);
  }

  /** Starts to look. */
  public void start() {
    thread.start();
  }

  /** Whether the broker has answered at all. */
  public boolean looked() {
    return seen.looked();
  }

  /** Why the broker does not answer now, in one sentence; null if it does. */
  public @Nullable String failure() {
    return seen.failure();
  }

  /**
   * What is wrong with the topics that a model needs, the records' first; a sentence each. Empty if
   * nothing was seen yet.
   */
  public List<String> problems(ModelSettings model, List<String> needed) {
    Seen now = seen;
    if (!now.looked()) {
      return List.of();
    }
    Map<String, Integer> partitions = new HashMap<>();
    now.topics().forEach((name, topic) -> partitions.put(name, topic.partitions()));
    return TopicCheck.problems(settings, model, needed, partitions);
  }

  /** Those of the topics that are there. */
  public Map<String, Topic> found(List<String> topics) {
    Map<String, Topic> found = new HashMap<>(seen.topics());
    found.keySet().retainAll(topics);
    return found;
  }

  /**
   * Those of the topics that are there now, by a look of its own.
   *
   * @throws TopicException in one sentence, if the broker does not say
   */
  public Map<String, Topic> now(Collection<String> topics) {
    TopicInspector looking = inspector;
    if (looking == null) {
      throw new TopicException("the topics have not been looked at yet");
    }
    return looking.look(topics);
  }

  /** How many partitions a topic has; 0 if it is not there. */
  public int partitions(String topic) {
    Topic known = seen.topics().get(topic);
    return known == null ? 0 : known.partitions();
  }

  /** Looks now, and returns when that is done or has failed. */
  public void lookAgain() {
    lock.lock();
    try {
      long wanted = Math.max(asked, begun + 1);
      asked = wanted;
      changed.signalAll();
      long nanosLeft = LOOK_LIMIT.toNanos();
      while (done < wanted && closed.getCount() > 0 && nanosLeft > 0) {
        nanosLeft = changed.awaitNanos(nanosLeft);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void watch() {
    try (TopicInspector looking = new TopicInspector(settings)) {
      inspector = looking;
      long turn = awaitTurn(Duration.ZERO);
      while (turn > 0) {
        Seen before = seen;
        seen = look(looking, before);
        if (!before.absent().containsAll(seen.absent())) {
          pause(BETWEEN);
          seen = look(looking, seen);
        }
        finish(turn);
        turn = awaitTurn(EVERY);
      }
    }
  }

  private Seen look(TopicInspector looking, Seen before) {
    try {
      Map<String, Topic> topics = new HashMap<>(looking.look(names));
      Set<String> absent = new TreeSet<>(names);
      absent.removeAll(topics.keySet());
      before
          .topics()
          .forEach(
              (name, topic) -> {
                if (absent.contains(name) && !before.absent().contains(name)) {
                  topics.put(name, topic);
                }
              });
      return new Seen(topics, absent, true, null);
    } catch (TopicException e) {
      return new Seen(before.topics(), before.absent(), before.looked(), e.getMessage());
    }
  }

  /** The number of the look that is to be done, after that time or when it is asked for; 0 ends. */
  private long awaitTurn(Duration pause) {
    long nanosLeft = pause.toNanos();
    lock.lock();
    try {
      while (closed.getCount() > 0 && asked <= done && nanosLeft > 0) {
        nanosLeft = changed.awaitNanos(nanosLeft);
      }
      begun = Math.max(asked, begun + 1);
      return closed.getCount() > 0 ? begun : 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    } finally {
      lock.unlock();
    }
  }

  private void pause(Duration duration) {
    try {
      boolean _ = closed.await(duration.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void finish(long turn) {
    lock.lock();
    try {
      done = Math.max(done, turn);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
