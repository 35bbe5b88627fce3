package io.holdfast.service.watch;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.ActiveWriters;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then at who writes scores, on a thread of its own, and says where a service of
 * another application id scores the same model into the same topic: each then reads all records,
 * and every one is scored twice. A broker that does not say who writes is no trouble of this kind.
 */
public final class ScoreWriters implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScoreWriters.class);
  private static final Duration EVERY = Duration.ofSeconds(10);

  /** For so long one counts as writing after it last did. */
  private static final Duration LASTS = Duration.ofMinutes(2);

  private final Settings settings;
  private final TopicWatch topics;
  private final Troubles troubles;
  private final InstantSource clock;
  private final CountDownLatch closed = new CountDownLatch(1);

  // By model, and by the application id of another service: when it was last seen to write.
  private final Map<String, Map<String, Instant>> others = new HashMap<>();

  /** Does not look yet. */
  public ScoreWriters(
      Settings settings, TopicWatch topics, Troubles troubles, InstantSource clock) {
    this.settings = settings;
    this.topics = topics;
    this.troubles = troubles;
    this.clock = clock;
  }

  /** Starts to look. */
  public void start() {
    Thread.ofVirtual().name("holdfast-score-writers").start(this::watch);
  }

  @Override
  public void close() {
    closed.countDown();
  }

  private void watch() {
    try (ActiveWriters writers = new ActiveWriters(settings.kafka())) {
      while (!closed.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        look(writers);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(ActiveWriters writers) {
    Map<String, Integer> partitions = new TreeMap<>();
    for (ModelSettings model : settings.models().values()) {
      String scores = model.topics().scores();
      if (topics.partitions(scores) > 0) {
        partitions.put(scores, topics.partitions(scores));
      }
    }
    try {
      Map<String, Set<String>> active = writers.look(partitions);
      for (ModelSettings model : settings.models().values()) {
        say(model, active.getOrDefault(model.topics().scores(), Set.of()));
      }
    } catch (TopicException e) {
      LOG.debug("who writes scores is not known: {}", e.getMessage());
    }
  }

  private void say(ModelSettings model, Set<String> transactionalIds) {
    Instant now = clock.instant();
    Map<String, Instant> seen = others.computeIfAbsent(model.name(), _ -> new TreeMap<>());
    others(model, transactionalIds).forEach(other -> seen.put(other, now));
    seen.values().removeIf(last -> last.plus(LASTS).isBefore(now));
    if (seen.isEmpty()) {
      troubles.end(model.name(), TroubleKind.SCORED_TWICE);
    } else {
      troubles.begin(
          model.name(),
          TroubleKind.SCORED_TWICE,
          Sentence.of(
              "a service with the application id %s scores the same records into topic %s as this"
                  + " one, %s, so that a record has more than one score: stop one of them, or give"
                  + " both the same holdfast.service.applicationId, and they share the records",
              String.join(", ", seen.keySet()),
              model.topics().scores(),
              settings.service().applicationId()));
    }
  }

  /** The application ids of other services among those who write. */
  private Set<String> others(ModelSettings model, Set<String> transactionalIds) {
    Pattern scorer = Pattern.compile("(.+)-" + Pattern.quote(model.name()) + "-score[-/].+-\\d+");
    Set<String> found = new TreeSet<>();
    for (String id : transactionalIds) {
      Matcher matcher = scorer.matcher(id);
      if (matcher.matches() && !own(id)) {
        found.add(matcher.group(1));
      }
    }
    return found;
  }

  /** Of this service's instances; a model's name may end as another's does. */
  private boolean own(String transactionalId) {
    return settings.models().keySet().stream()
        .map(model -> settings.service().applicationId() + "-" + model + "-score")
        .anyMatch(
            scorer ->
                transactionalId.startsWith(scorer + "/")
                    || transactionalId.startsWith(scorer + "-"));
  }
}
