package io.holdfast.schemas.ledger;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.version.LedgerKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks everything that the model topic says, record by record in the order of the log: not only
 * what compaction would leave, so that what was overwritten or deleted is judged as well. Not
 * thread-safe; one use each.
 *
 * <p>What retention deleted and compaction took away is no violation. That a topic has been cleaned
 * hides violations, it never makes up any.
 */
public final class LedgerAudit {
  private final Map<String, ModelAudit> models = new TreeMap<>();
  private final List<Violation> badKeys = new ArrayList<>();
  private final Ledger ledger = new Ledger();
  private long records;

  /** What may be wrong. */
  public enum Kind {
    /** A key that is none of the model topic. */
    BAD_KEY,
    /** A record that cannot be read, or contradicts its key. */
    BAD_RECORD,
    /** Bytes that do not have the hash that names them. */
    HASH_MISMATCH,
    /** A version's number is missing, and nothing explains it. */
    GAP,
    /** A version was written again with other content. */
    PUBLISHED_TWICE,
    /** A version grew from none that is known. */
    UNKNOWN_PARENT,
    /** A version did not grow from what was the tip then, and no head says why. */
    BRANCH,
    /** A head's number is missing or came twice: a change was lost. */
    LOST_HEAD,
    /** A head named what could not be read at that moment. */
    HEAD_OF_NOTHING,
    /** A head, or what it names, was deleted. */
    DELETED,
    /** A version that is there cannot be verified as a scorer would. */
    UNVERIFIABLE
  }

  /** One thing that is wrong, in a sentence; the offset is -1 of what shows at the end. */
  public record Violation(long offset, String model, Kind kind, String detail) {}

  /** What there is of a model; {@code newest} is a version, -1 if there is none. */
  public record Summary(long versions, long newest, long heads, long segments, long segmentBytes) {}

  /** All that was found; {@code violations} in the order of the log. */
  public record Result(long records, Map<String, Summary> models, List<Violation> violations) {
    public Result {
      models = Map.copyOf(models);
      violations = List.copyOf(violations);
    }
  }

  /** Takes the next record; a null value is a tombstone. */
  public void apply(long offset, @Nullable String key, byte @Nullable [] value) {
    records++;
    LedgerKey parsed;
    try {
      parsed = LedgerKey.parse(key == null ? "" : key);
    } catch (IllegalArgumentException e) {
      badKeys.add(
          new Violation(
              offset,
              key == null ? "" : key,
              Kind.BAD_KEY,
              Sentence.of("the record at offset %d has no key: %s", offset, e.getMessage())));
      return;
    }
    models.computeIfAbsent(parsed.model(), ModelAudit::new).apply(offset, parsed, value);
    ledger.apply(key, value);
  }

  /** What was found; nothing is applied after it. */
  public Result result() {
    List<Violation> violations = new ArrayList<>(badKeys);
    Map<String, Summary> summaries = new TreeMap<>();
    models.forEach(
        (name, model) -> {
          violations.addAll(model.finish(version -> ledger.version(name, version)));
          summaries.put(name, model.summary());
        });
    violations.sort(
        Comparator.comparingLong(
            violation -> violation.offset() < 0 ? Long.MAX_VALUE : violation.offset()));
    return new Result(records, summaries, violations);
  }
}
