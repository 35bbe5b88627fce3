package io.holdfast.schemas.framing;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.registry.RegistryException;
import io.holdfast.schemas.registry.SchemaId;
import io.holdfast.schemas.registry.SchemaRegistry;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of one topic's values by their ids in a registry. Thread-safe.
 *
 * <p>Who asks first is told that it is being looked up, which a thread of its own does, again and
 * again until the registry says what it is or that it does not exist.
 */
public final class RegisteredSchemas {
  /*
   * An id is asked for, known or refused. One that is refused stays so while it is asked for again,
   * since ids that were never given out would else hold up what comes behind them now and then. The
   * ids used longest ago are forgotten, and found again in the store.
   */
  private static final int KEPT = 2_000;
  private static final int AT_ONCE = 8;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
  private static final Duration REFUSED_FOR = Duration.ofSeconds(30);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  private final String topic;
  private final SchemaRegistry registry;
  private final SchemaStore store;
  private final LongSupplier nanos;
  private final Semaphore asking = new Semaphore(AT_ONCE);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition told = lock.newCondition();
  private final Map<SchemaId, Inquiry> inquiries =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SchemaId, Inquiry> eldest) {
          return size() > KEPT;
        }
      };

  /** What is known of an id; of the lock. */
  private static final class Inquiry {
    private @Nullable Schema schema;
    private @Nullable MalformedRecordException refusal;
    private @Nullable String failure;
    private boolean asked;
    private long pauseNanos;
    private long againNanos;

    boolean settled() {
      return schema != null || refusal != null;
    }
  }

  public RegisteredSchemas(String topic, SchemaRegistry registry, SchemaStore store) {
    this(topic, registry, store, System::nanoTime);
  }

  RegisteredSchemas(String topic, SchemaRegistry registry, SchemaStore store, LongSupplier nanos) {
    this.topic = topic;
    this.registry = registry;
    this.store = store;
    this.nanos = nanos;
  }

  /** Whether it is known what the id is, or that it is nothing; else it is being asked for. */
  public boolean settled(SchemaId id) {
    lock.lock();
    try {
      return inquiry(id).settled();
    } finally {
      lock.unlock();
    }
  }

  /** Why the id is not settled yet, if anything is wrong. */
  public @Nullable String failure(SchemaId id) {
    lock.lock();
    try {
      Inquiry inquiry = inquiries.get(id);
      return inquiry == null || inquiry.settled() ? null : inquiry.failure;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The schema of an id, if the registry has one that can be used. Waits for the answer, but not
   * for long: then a SchemaUnavailableException says so.
   */
  public Schema schema(SchemaId id) throws MalformedRecordException {
    lock.lock();
    try {
      long until = nanos.getAsLong() + LONGEST_WAIT.toNanos();
      Inquiry inquiry = inquiry(id);
      while (!inquiry.settled() && nanos.getAsLong() - until < 0) {
        long _ = told.awaitNanos(FIRST_PAUSE.toNanos()); // then it may be time to ask again
        inquiry = inquiry(id);
      }
      if (inquiry.schema != null) {
        return inquiry.schema;
      }
      if (inquiry.refusal != null) {
        throw inquiry.refusal;
      }
      throw new SchemaUnavailableException(
          Sentence.of(
              "schema %s of topic %s is not known within %s: %s",
              id,
              topic,
              LONGEST_WAIT,
              Objects.requireNonNullElse(inquiry.failure, "the registry has not answered yet")));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SchemaUnavailableException("the program is ending");
    } finally {
      lock.unlock();
    }
  }

  /** The inquiry after an id, for which is asked if it is time to. */
  private Inquiry inquiry(SchemaId id) {
    Inquiry inquiry = inquiries.computeIfAbsent(id, key -> new Inquiry());
    boolean due = inquiry.againNanos == 0 || nanos.getAsLong() - inquiry.againNanos >= 0;
    if (inquiry.schema == null && !inquiry.asked && due) {
      inquiry.asked = true;
      Thread.ofVirtual().name("schema-" + id).start(() -> ask(id, inquiry));
    }
    return inquiry;
  }

  @SuppressWarnings("IllegalCatch") // whatever goes wrong is said, and tried again
  private void ask(SchemaId id, Inquiry inquiry) {
    Schema schema = null;
    MalformedRecordException refusal = null;
    String failure = null;
    try {
      asking.acquire();
      try {
        Schema stored = store.find(id);
        schema = store.keep(topic, id, stored == null ? registry.find(id) : stored);
      } finally {
        asking.release();
      }
    } catch (RegistryException e) {
      switch (e.reason()) {
        case ABSENT -> refusal = new MalformedRecordException(Reason.UNKNOWN_SCHEMA, said(e));
        case UNUSABLE ->
            refusal = new MalformedRecordException(Reason.INCOMPATIBLE_SCHEMA, said(e));
        case UNAVAILABLE, REFUSED -> failure = said(e);
      }
    } catch (MalformedRecordException e) {
      refusal = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = "the program is ending";
    } catch (RuntimeException e) {
      failure = said(e);
    }
    settle(inquiry, schema, refusal, failure);
  }

  private static String said(Exception failure) {
    return String.valueOf(failure.getMessage());
  }

  private void settle(
      Inquiry inquiry,
      @Nullable Schema schema,
      @Nullable MalformedRecordException refusal,
      @Nullable String failure) {
    lock.lock();
    try {
      inquiry.asked = false;
      inquiry.failure = failure;
      if (failure == null) {
        inquiry.schema = schema;
        inquiry.refusal = refusal;
        inquiry.pauseNanos = 0;
        inquiry.againNanos = nanos.getAsLong() + REFUSED_FOR.toNanos();
      } else {
        inquiry.pauseNanos =
            Math.clamp(2 * inquiry.pauseNanos, FIRST_PAUSE.toNanos(), LONGEST_PAUSE.toNanos());
        inquiry.againNanos = nanos.getAsLong() + inquiry.pauseNanos;
      }
      told.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
