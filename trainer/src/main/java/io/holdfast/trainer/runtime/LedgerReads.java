package io.holdfast.trainer.runtime;

import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.LedgerReader;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.version.LedgerKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the model topic from its beginning, once for all who wait: a trainer that takes over many
 * models need not read it once for each. Thread-safe.
 */
final class LedgerReads {
  /*
   * A caller joins the next read, then waits for its turn: either somebody has done that read by then, or
   * it does it. Nobody joins a read that has begun, so it sees all that was written before anyone asked.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Settings settings;
  private final ReentrantLock turn = new ReentrantLock(true);
  private @Nullable Read next; // guarded by this

  /** Written and read by whoever has the turn. */
  private static final class Read {
    private final Map<String, Ledger> ledgers =
        new HashMap<>(); // guarded by LedgerReads until begun
    private boolean done;
    private @Nullable RuntimeException failure;
  }

  LedgerReads(Settings settings) {
    this.settings = settings;
  }

  /** As {@link KafkaAccess#readLedger}. */
  Ledger read(String model) {
    Read mine = join(model);
    turn.lock();
    try {
      if (!mine.done) {
        perform(mine);
      }
      if (mine.failure != null) {
        throw mine.failure;
      }
      return mine.ledgers.getOrDefault(model, new Ledger(Set.of(model)));
    } finally {
      turn.unlock();
    }
  }

  private synchronized Read join(String model) {
    if (next == null) {
      next = new Read();
    }
    next.ledgers.put(model, new Ledger(Set.of(model)));
    return next;
  }

  private void perform(Read read) {
    synchronized (this) {
      if (read.equals(next)) {
        next = null; // from here on nobody joins
      }
    }
    read.done = true;
    try {
      LedgerReader.read(
          settings.kafka(),
          settings.topics().models(),
          PATIENCE,
          record -> {
            Ledger ledger = read.ledgers.get(modelOf(record.key()));
            if (ledger != null) {
              ledger.apply(record.key(), record.value());
            }
          });
      read.ledgers.values().forEach(Ledger::recallHeads);
    } catch (TopicException | KafkaException e) {
      read.failure = e;
    }
  }

  private static String modelOf(@Nullable String key) {
    try {
      return key == null ? "" : LedgerKey.parse(key).model();
    } catch (IllegalArgumentException e) {
      return ""; // nobody's: each reader of it says so
    }
  }
}
