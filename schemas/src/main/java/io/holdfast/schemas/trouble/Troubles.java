package io.holdfast.schemas.trouble;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is wrong with each model now: at most one trouble of a kind a model. A trouble is logged
 * when it begins and when it ends, not while it lasts. Thread-safe.
 */
public final class Troubles {
  private static final Logger LOG = LoggerFactory.getLogger(Troubles.class);
  private static final Comparator<Trouble> ORDER =
      Comparator.comparing(Trouble::model).thenComparing(Trouble::kind);

  private record Place(String model, TroubleKind kind) {}

  private final InstantSource clock;
  private final ConcurrentMap<Place, Trouble> active = new ConcurrentHashMap<>();

  public Troubles(InstantSource clock) {
    this.clock = clock;
  }

  /** It is so now. One that lasts keeps its beginning and takes the newest sentence. */
  public synchronized void begin(String model, TroubleKind kind, String sentence) {
    Trouble before = active.get(new Place(model, kind));
    Instant since = before == null ? clock.instant() : before.since();
    active.put(new Place(model, kind), new Trouble(model, kind, sentence, since));
    if (before == null) {
      LOG.atWarn()
          .addKeyValue("model", model)
          .addKeyValue("trouble", kind.label())
          .log("model {}: {}: {}", model, kind.label(), sentence);
    }
  }

  /** It is not so, or no longer. */
  public synchronized void end(String model, TroubleKind kind) {
    Trouble before = active.remove(new Place(model, kind));
    if (before != null) {
      LOG.atInfo()
          .addKeyValue("model", model)
          .addKeyValue("trouble", kind.label())
          .log("model {}: {} is over", model, kind.label());
    }
  }

  /** Whether it is so now. */
  public boolean isActive(String model, TroubleKind kind) {
    return active.containsKey(new Place(model, kind));
  }

  /** A model's troubles, by kind. */
  public List<Trouble> of(String model) {
    return active.values().stream()
        .filter(trouble -> trouble.model().equals(model))
        .sorted(ORDER)
        .toList();
  }

  /** All of them, by model and kind. */
  public List<Trouble> all() {
    return active.values().stream().sorted(ORDER).toList();
  }
}
