package io.holdfast.trainer.runtime;

import io.holdfast.http.BuildMeter;
import io.holdfast.http.LagMeters;
import io.holdfast.http.TroubleMeters;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.lag.Lag;
import io.holdfast.schemas.lag.LagMonitor;
import io.holdfast.schemas.lag.Stage;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.trouble.Troubles;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The models of the settings, whose threads start and stop as the group gives and takes them. */
@Singleton
final class ModelLoops implements Membership.Listener {
  /** For threads to end when their models go to others; a window in training is not waited for. */
  private static final Duration LOSS_LIMIT = Duration.ofSeconds(3);

  /** Longer than a membership takes to give up its models and leave. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  private final String group;
  private final Map<String, ModelSlot> slots = new LinkedHashMap<>(); // by example topic
  private final Troubles troubles = new Troubles(InstantSource.system());
  private final Membership membership;
  private final LagMonitor lag;
  private final Thread member;

  ModelLoops(Settings settings, KafkaAccess kafka, MeterRegistry registry) {
    group = settings.trainer().group();
    for (ModelSettings model : settings.models().values()) {
      String topic = model.topics().examples();
      slots.put(
          topic,
          new ModelSlot(
              new ModelStatus(model.name(), troubles),
              registry,
              watch -> new ModelLoop(model, settings.topics(), kafka, () -> proved(topic), watch)));
    }
    BuildMeter.bind("trainer", registry);
    TroubleMeters.bind("holdfast.trainer.trouble", troubles, settings.models().keySet(), registry);
    membership = new Membership(settings, kafka, slots.keySet(), this, registry);
    lag =
        new LagMonitor(
            settings.kafka(),
            settings.models().values().stream().map(model -> Stage.train(settings, model)).toList(),
            troubles,
            this::trains,
            this::answered,
            InstantSource.system());
    LagMeters.bind("holdfast.trainer.lag", lag, registry);
    member = Thread.ofPlatform().daemon().name("holdfast-member").unstarted(membership);
    Gauge.builder("holdfast.trainer.models", this, ModelLoops::owned)
        .description("Models that this trainer trains by the group's share")
        .register(registry);
  }

  void start() {
    member.start();
    lag.start();
  }

  private boolean trains(String model) {
    return slots.values().stream()
        .anyMatch(slot -> slot.status().model().equals(model) && slot.running());
  }

  /** How far a model's training is behind; null if unknown, or another trainer's. */
  @Nullable Lag lag(String model) {
    return lag.stages().stream()
        .filter(stage -> stage.model().equals(model))
        .map(lag::lag)
        .filter(Objects::nonNull)
        .findAny()
        .orElse(null);
  }

  private boolean proved(String topic) {
    return membership.proved(topic);
  }

  @Override
  public void gained(Set<String> topics) {
    slots(topics).forEach(ModelSlot::start);
  }

  @Override
  public void lost(Set<String> topics) {
    slots(topics).forEach(ModelSlot::stop);
    long deadline = System.nanoTime() + LOSS_LIMIT.toNanos();
    slots(topics).forEach(slot -> slot.await(deadline));
  }

  @Override
  public void inside() {
    statuses().forEach(status -> status.setKafka("group", null));
  }

  @Override
  public void outside(String reason) {
    String sentence = "this trainer can be given no model by group " + group + ": " + reason;
    statuses().forEach(status -> status.setKafka("group", sentence));
  }

  /** Whether the broker answers at all. */
  private void answered(@Nullable String problem) {
    statuses().forEach(status -> status.setKafka("answer", problem));
  }

  private List<ModelSlot> slots(Set<String> topics) {
    return slots.entrySet().stream()
        .filter(slot -> topics.contains(slot.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Of every model, in the order of the settings. */
  List<ModelStatus> statuses() {
    return slots.values().stream().map(ModelSlot::status).toList();
  }

  /** For people. */
  String describeMembership() {
    return switch (membership.state()) {
      case Membership.State.Joining joining ->
          joining.reason().isEmpty() ? "joining" : "joining again after: " + joining.reason();
      case Membership.State.Member _ ->
          Sentence.of("member, trains %d of %d models", owned(), slots.size());
      case Membership.State.Dead dead -> "no member any more: " + dead.reason();
      case Membership.State.Left _ -> "left";
    };
  }

  String group() {
    return group;
  }

  private int owned() {
    return (int) slots.values().stream().filter(ModelSlot::running).count();
  }

  /**
   * Whether the group has given this trainer its share, which may be empty, and every model in it
   * reads examples. Models that wait for somebody to fix them do not count unless all do.
   */
  boolean ready() {
    if (!(membership.state() instanceof Membership.State.Member)) {
      return false;
    }
    boolean learns = false;
    boolean waits = false;
    for (ModelStatus status : statuses()) {
      switch (status.phase()) {
        case ModelStatus.Phase.Learning _ -> learns = true;
        case ModelStatus.Phase.StandingBy _ -> {}
        case ModelStatus.Phase.WaitingForSchema _, ModelStatus.Phase.Halted _ -> waits = true;
        default -> {
          return false;
        }
      }
    }
    return learns || !waits;
  }

  /** Whether neither the membership nor a model's thread has ended by an error. */
  boolean alive() {
    return !(membership.state() instanceof Membership.State.Dead)
        && statuses().stream()
            .noneMatch(status -> status.phase() instanceof ModelStatus.Phase.Dead);
  }

  /** Leaves the group, which stops all threads, and waits for that. */
  @PreDestroy
  void stop() {
    if (member.getState() == Thread.State.NEW) {
      return; // nothing was started: the port was taken, say
    }
    membership.leave();
    lag.close();
    try {
      member.join(STOP_LIMIT);
      long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
      slots.values().forEach(slot -> slot.await(deadline));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
