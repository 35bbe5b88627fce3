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
 * Reads of the model topic from its beginning, each for all who wait for one. Thread-safe.
 *
 * <p>A trainer that takes many models over needs the ledger of each, and they share one topic: read
 * once a model, it would be read as often as there are models.
 */
final class LedgerReads {
  /*
   * Whoever needs a ledger joins the read that comes next, and then waits for its turn to read. If
   * somebody whose turn came before has done that read, there is nothing left to do. A read that has
   * begun is joined by nobody, so it sees all that was written before anyone asked for it.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Settings settings;
  private final ReentrantLock turn = new ReentrantLock(true);
  private @Nullable Read next; // guarded by this

  /** Written by whoever has the turn; read by the others in theirs. */
  private static final class Read {
    private final Map<String, Ledger> ledgers =
        new HashMap<>(); // guarded by LedgerReads until begun
    private boolean done;
    private @Nullable RuntimeException failure;
  }

  LedgerReads(Settings settings) {
    this.settings = settings;
  }

  /**
   * What was written of a model to the model topic before this call, for the caller alone.
   *
   * @throws TopicException if the topic cannot be read to its end
   */
  Ledger read(String model) {
    Read mine = join(model);
    turn.lock();
    try {
      if (!mine.done) {
        begin(mine);
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

  /** From here on nobody joins. */
  private synchronized void begin(Read read) {
    if (read.equals(next)) {
      next = null;
    }
  }

  private void perform(Read read) {
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
