package io.holdfast.schemas.lag;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.topic.ClientSettings;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every few seconds how far stages are behind, and makes a trouble of what is too far.
 * Started and closed by one thread; asked by any.
 */
public final class LagMonitor implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Logger LOG = LoggerFactory.getLogger(LagMonitor.class);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  /** With one of these, no service is in the group, however many run. */
  private static final Set<TroubleKind> BLOCKING =
      Set.of(
          TroubleKind.VERSION,
          TroubleKind.SCHEMA,
          TroubleKind.TOPIC,
          TroubleKind.STOPPED,
          TroubleKind.KAFKA);

  private final Map<String, String> kafka;
  private final List<Stage> stages;
  private final Troubles troubles;
  private final Predicate<String> concerned;
  private final Consumer<@Nullable String> answered;
  private final InstantSource clock;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private boolean looking; // guarded by this
  private boolean missing; // the broker did not answer last; of the thread alone
  private volatile Map<Stage, Lag> newest = Map.of();

  /**
   * A monitor that looks once it is started.
   *
   * @param concerned of which models it is this program's to say
   * @param answered told after each look why the broker did not answer; null if it did
   */
  public LagMonitor(
      Map<String, String> kafka,
      Collection<Stage> stages,
      Troubles troubles,
      Predicate<String> concerned,
      Consumer<@Nullable String> answered,
      InstantSource clock) {
    this.kafka = Map.copyOf(kafka);
    this.stages = List.copyOf(stages);
    this.troubles = troubles;
    this.concerned = concerned;
    this.answered = answered;
    this.clock = clock;
    this.thread = Thread.ofPlatform().daemon().name("holdfast-lag").unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  /** The stages that are looked at. */
  public List<Stage> stages() {
    return stages;
  }

  /** How far a stage is behind, by the newest look; null if it is not known or another's to say. */
  public @Nullable Lag lag(Stage stage) {
    return concerned.test(stage.model()) ? newest.get(stage) : null;
  }

  private void run() {
    while (!stopped(INTERVAL)) {
      try (LagReader reader = new LagReader(kafka, stages, clock)) {
        while (!stopped(INTERVAL)) {
          look(reader);
        }
      } catch (KafkaException e) {
        answer(ClientSettings.explain(kafka, e)); // no address can be found, say
      } catch (InterruptedException e) {
        return; // closed
      }
    }
  }

  /** Interrupted by whoever closes, but only here: what closes clients is to end in peace. */
  private void look(LagReader reader) throws InterruptedException {
    if (!looking(true)) {
      return;
    }
    try {
      newest = reader.look();
      answer(null);
      judge();
    } catch (InterruptException e) {
      return; // closed
    } catch (KafkaException e) {
      newest = Map.of();
      answer(ClientSettings.explain(kafka, e));
    } finally {
      looking(false);
    }
  }

  private void answer(@Nullable String problem) {
    if (problem == null && missing) {
      LOG.info("the broker answers again");
    }
    missing = problem != null;
    answered.accept(problem);
  }

  /** Returns whether there is still something to look for. */
  private synchronized boolean looking(boolean now) {
    looking = now && closed.getCount() > 0;
    if (!now) {
      var _ = Thread.interrupted();
    }
    return looking;
  }

  private boolean stopped(Duration wait) {
    try {
      return closed.await(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  private void judge() {
    Map<String, List<String>> late = new TreeMap<>();
    Set<String> unknown = new HashSet<>();
    for (Stage stage : stages) {
      List<String> sentences = late.computeIfAbsent(stage.model(), model -> new ArrayList<>());
      Lag lag = lag(stage);
      if (lag == null && concerned.test(stage.model())) {
        unknown.add(stage.model());
      } else if (lag != null && lag.waited().compareTo(stage.limit()) > 0) {
        sentences.add(sentence(stage, lag));
      }
    }
    late.forEach(
        (model, sentences) -> {
          if (!sentences.isEmpty()) {
            troubles.begin(model, TroubleKind.LAGGING, String.join("; ", sentences));
          } else if (!unknown.contains(model)) {
            troubles.end(model, TroubleKind.LAGGING);
          }
        });
  }

  private String sentence(Stage stage, Lag lag) {
    String what =
        switch (stage.kind()) {
          case SCORE -> "to be scored";
          case JOIN -> "to be joined with their labels";
          case TRAIN -> "to be learned from";
        };
    return Sentence.of(
        "%d %s of %s wait %s, the oldest for %d s: %s",
        lag.rows(),
        stage.kind() == Stage.Kind.TRAIN ? "examples" : "records",
        String.join(", ", stage.topics()),
        what,
        lag.waited().toSeconds(),
        remedy(stage, lag));
  }

  private String remedy(Stage stage, Lag lag) {
    boolean trains = stage.kind() == Stage.Kind.TRAIN;
    boolean blocked =
        troubles.of(stage.model()).stream().anyMatch(t -> BLOCKING.contains(t.kind()));
    if (!trains && blocked) {
      return "mend first what else the service says of this model";
    }
    String program = trains ? "trainer" : "service";
    return lag.deserted()
        ? Sentence.of(
            "no %s is in the group %s, so start one, or see what else is said of this model",
            program, stage.members())
        : Sentence.of(
            "see what else the %s says of this model, or start another one to share the work",
            program);
  }

  @Override
  public void close() {
    closed.countDown();
    synchronized (this) {
      if (looking) {
        thread.interrupt();
      }
    }
    if (thread.getState() == Thread.State.NEW) {
      return; // the start ended before it
    }
    try {
      thread.join(CLOSE_LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
