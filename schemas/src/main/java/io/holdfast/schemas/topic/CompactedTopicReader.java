package io.holdfast.schemas.topic;

import io.holdfast.schemas.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one single-partition compacted topic from its beginning, committed records only, and
 * follows it. {@link #run} is one thread's whole life; the other methods may be called from any
 * thread.
 *
 * <p>A broker that fails is tried again, with a pause that grows to 5 s, and reading goes on where
 * it was. If the topic was deleted and made anew, it is read from its beginning: a listener must
 * take a record that it knows already.
 */
public final class CompactedTopicReader implements Runnable, AutoCloseable {
  /*
   * A caller that waits asks for the end of the topic as it is now (`endsAsked`) and wakes the
   * consumer; the reading thread finds the end, and signals `changed` when its position has reached
   * it. With read_committed the end is the last stable offset, so an open transaction does not make
   * anyone wait.
   *
   * An end is confirmed when it was asked for after an end had been reached, by the connection that
   * read to it: an answer of before may be of a broker that was just elected. While it follows, the
   * reader asks again every second, so that what is confirmed is known to be of late.
   */
  private static final Logger LOG = LoggerFactory.getLogger(CompactedTopicReader.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final long ASK_NANOS = Duration.ofSeconds(1).toNanos();
  private static final Duration REQUEST = Duration.ofSeconds(3);
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  private final TopicPartition partition;
  private final Map<String, String> kafka;
  private final Listener listener;
  private final Supplier<Consumer<String, byte[]>> consumers;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicLong endsAsked = new AtomicLong(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile long endsReached;
  private volatile boolean ended;
  private volatile @Nullable Consumer<String, byte[]> consumer;
  private volatile @Nullable Confirmed confirmed;

  // Of the reading thread alone.
  private long position = -1;
  private long endFound;
  private long endOfTopic;
  private boolean reachedAnEnd;
  private @Nullable Confirmed asking;
  private Duration request = REQUEST;

  /**
   * That the topic was read to its end as of {@code nanos}.
   *
   * @param connection that has not been lost since
   */
  private record Confirmed(long nanos, Connection connection, double lost) {
    static Confirmed asOfNow(Connection connection) {
      return new Confirmed(System.nanoTime(), connection, connection.lost());
    }

    boolean holds() {
      return connection.lost() == lost;
    }
  }

  /** What is done with each record, on the reading thread. */
  @FunctionalInterface
  public interface Listener {
    void onRecord(ConsumerRecord<String, byte[]> record);

    /**
     * Called when all that the topic is known to have was handed over: after records that came
     * together, and about once a second while nothing comes.
     */
    default void onEnd() {}
  }

  /** A reader; nothing is connected before {@link #run} or {@link #readToEnd}. */
  public CompactedTopicReader(Map<String, String> kafka, String topic, Listener listener) {
    this(kafka, topic, listener, () -> new KafkaConsumer<>(ClientSettings.consumer(kafka)));
  }

  /** A reader with consumers from elsewhere. */
  CompactedTopicReader(
      Map<String, String> kafka,
      String topic,
      Listener listener,
      Supplier<Consumer<String, byte[]>> consumers) {
    this.partition = new TopicPartition(topic, 0);
    this.kafka = Map.copyOf(kafka);
    this.listener = listener;
    this.consumers = consumers;
  }

  /** Reads until closed. What the listener throws ends it, and is thrown. */
  @Override
  public void run() {
    long pause = FIRST_PAUSE_MILLIS;
    String said = "";
    try {
      while (!isClosed()) {
        long before = position;
        try (Consumer<String, byte[]> opened = open()) {
          follow(opened);
        } catch (WakeupException e) {
          // Woken between two uses of the consumer: the loop's condition says whether to go on.
        } catch (InterruptException e) {
          return; // The client has set the thread's interrupt flag: its owner wants it to end.
        } catch (KafkaException e) {
          boolean again = position > before;
          pause = again ? FIRST_PAUSE_MILLIS : pause;
          String problem = ClientSettings.explain(kafka, e);
          if (again || !problem.equals(said)) { // once, not at each try
            LOG.warn(
                "reading {} failed and is tried until it works: {}", partition.topic(), problem);
          }
          said = problem;
          if (pausedUntilClosed(pause)) {
            return;
          }
          pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        } finally {
          consumer = null;
          // The broker is lost: what was confirmed is of before.
          confirmed = null;
          asking = null;
          reachedAnEnd = false;
        }
      }
    } finally {
      ended = true;
      signal();
    }
  }

  /**
   * Reads on the calling thread until everything committed before this call was handed over. Not to
   * be mixed with {@link #run}.
   *
   * @throws TopicException in one sentence if that takes longer than {@code limit}
   */
  public void readToEnd(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    request = limit.compareTo(REQUEST) < 0 ? limit : REQUEST;
    ask();
    try (Consumer<String, byte[]> opened = open()) {
      while (true) {
        KafkaException last = step(opened, Duration.ofMillis(100));
        if (endsReached >= endsAsked.get()) {
          return;
        }
        if (System.nanoTime() - deadline > 0 || isClosed()) {
          throw new TopicException(
              Sentence.of(
                  "the topic %s could not be read to its end within %d s: %s",
                  partition.topic(),
                  limit.toSeconds(),
                  last == null
                      ? "more records are there than could be read"
                      : ClientSettings.explain(kafka, last)),
              last);
        }
      }
    } catch (KafkaException e) {
      throw new TopicException(
          Sentence.of(
              "the topic %s cannot be read: %s",
              partition.topic(), ClientSettings.explain(kafka, e)),
          e);
    } finally {
      consumer = null;
    }
  }

  /** Whether everything that was committed when reading began has been handed to the listener. */
  public boolean caughtUp() {
    return endsReached >= 1;
  }

  /**
   * Whether the topic's end is confirmed: it was asked for after all that was known had been handed
   * to the listener, not longer ago than {@code within}, and no connection was lost since.
   */
  public boolean confirmed(Duration within) {
    Confirmed last = confirmed;
    return last != null && System.nanoTime() - last.nanos() <= within.toNanos() && last.holds();
  }

  /**
   * Waits until all that is committed was handed over; false if it took longer or reading ended.
   */
  public boolean awaitCaughtUp(Duration limit) {
    long asked = ask();
    long nanosLeft = limit.toNanos();
    lock.lock();
    try {
      while (endsReached < asked && !ended && nanosLeft > 0) {
        nanosLeft = changed.awaitNanos(nanosLeft);
      }
      return endsReached >= asked;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Ends {@link #run} soon, from any thread; does not wait for it. */
  @Override
  public void close() {
    closed.countDown();
    wake();
  }

  private void wake() {
    Consumer<String, byte[]> present = consumer;
    if (present != null) {
      present.wakeup();
    }
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private Consumer<String, byte[]> open() {
    Consumer<String, byte[]> opened = consumers.get();
    opened.assign(List.of(partition));
    if (position < 0) {
      opened.seekToBeginning(List.of(partition));
    } else {
      opened.seek(partition, position);
    }
    consumer = opened;
    return opened;
  }

  private void follow(Consumer<String, byte[]> opened) {
    while (!isClosed()) {
      KafkaException failure = step(opened, POLL);
      if (failure != null) {
        throw failure;
      }
    }
  }

  /** One round: the end if it is asked for, then records; returns a failure to find the end. */
  private @Nullable KafkaException step(Consumer<String, byte[]> opened, Duration poll) {
    try {
      long asked = endsAsked.get();
      if (endFound < asked || endIsToBeAskedAgain()) {
        KafkaException failure = findEnd(opened, asked);
        if (failure != null) {
          return failure;
        }
      }
      for (ConsumerRecord<String, byte[]> record : opened.poll(poll)) {
        listener.onRecord(record);
        position = record.offset() + 1;
      }
      // Not the last record's: transaction markers have offsets, and a topic made anew has fewer.
      position = opened.position(partition, request);
      reachIfThere();
    } catch (WakeupException e) {
      // Someone asked for the end, or closed: both are seen in the next round.
    }
    return null;
  }

  /** Once an end was reached: to confirm it, and then now and then. */
  private boolean endIsToBeAskedAgain() {
    Confirmed last = confirmed;
    return reachedAnEnd
        && (last == null || System.nanoTime() - last.nanos() > ASK_NANOS || !last.holds());
  }

  private @Nullable KafkaException findEnd(Consumer<String, byte[]> opened, long asked) {
    Confirmed now = Confirmed.asOfNow(new Connection(opened.metrics()));
    try {
      endOfTopic = opened.endOffsets(List.of(partition), request).getOrDefault(partition, 0L);
      endFound = asked;
      asking = reachedAnEnd ? now : null;
      reachIfThere();
      return null;
    } catch (TimeoutException e) {
      try {
        boolean known = !opened.partitionsFor(partition.topic(), request).isEmpty();
        return known ? e : new UnknownTopicOrPartitionException(partition.topic());
      } catch (TimeoutException unreachable) {
        return unreachable;
      }
    }
  }

  private void reachIfThere() {
    if (position >= endOfTopic && endFound > 0) {
      listener.onEnd();
      reachedAnEnd = true;
      if (asking != null && asking.holds()) {
        confirmed = asking;
      }
      if (endsReached < endFound) {
        endsReached = endFound;
        signal();
      }
    }
  }

  private long ask() {
    long asked = endsAsked.incrementAndGet();
    wake();
    return asked;
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits; whether it is to end. */
  private boolean pausedUntilClosed(long millis) {
    try {
      return closed.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
