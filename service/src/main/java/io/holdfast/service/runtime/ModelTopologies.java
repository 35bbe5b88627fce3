package io.holdfast.service.runtime;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One model's topologies, each with a life of its own, and the troubles that keep them from
 * running. Started and closed by one thread; asked by any.
 */
final class ModelTopologies implements AutoCloseable {
  private static final Set<TroubleKind> KINDS =
      EnumSet.of(
          TroubleKind.TOPIC,
          TroubleKind.SCHEMA,
          TroubleKind.VERSION,
          TroubleKind.SETTINGS_DIFFER,
          TroubleKind.FIELDS_LEFT_OUT,
          TroubleKind.LABELS_UNUSABLE,
          TroubleKind.KAFKA,
          TroubleKind.STOPPED);
  private final String model;
  private final Troubles troubles;
  private final ModelSigns signs;
  private final Supplier<@Nullable String> unanswered;
  private final Map<Flow, SupervisedTopology> flows = new EnumMap<>(Flow.class);

  /** Does not start yet. */
  ModelTopologies(StreamsPlan.Parts parts, ModelSettings model, Troubles troubles) {
    this.model = model.name();
    this.troubles = troubles;
    this.signs = new ModelSigns(parts, model);
    this.unanswered = parts.topics()::failure;
    for (Flow flow : Flow.values()) {
      if (flow == Flow.SCORE || model.labels() instanceof Labels.InTopic) {
        flows.put(flow, new SupervisedTopology(new StreamsPlan(parts, model, flow), this::say));
      }
    }
  }

  String model() {
    return model;
  }

  void start() {
    flows.values().forEach(SupervisedTopology::start);
  }

  /** Whether its records are being scored. */
  boolean scores() {
    SupervisedTopology score = flows.get(Flow.SCORE);
    return score != null && score.standing() instanceof Standing.Running;
  }

  /** What keeps a flow from processing, in one sentence; null if it runs, or there is none. */
  @Nullable String awaited(Flow flow) {
    Obstacle obstacle = obstacle(flow);
    return obstacle == null ? null : "model " + model + ": " + obstacle.sentence();
  }

  /** The same, but null if it is in trouble. */
  @Nullable String starting(Flow flow) {
    Obstacle obstacle = obstacle(flow);
    return obstacle == null || obstacle.kind() != null ? null : awaited(flow);
  }

  private @Nullable Obstacle obstacle(Flow flow) {
    SupervisedTopology topology = flows.get(flow);
    Standing standing = topology == null ? new Standing.Running() : topology.standing();
    return switch (standing) {
      case Standing.Starting _ -> new Obstacle(null, flow.activity() + " is starting");
      case Standing.Held _ ->
          new Obstacle(null, "its records wait until the model topic is read to its end");
      case Standing.Running _, Standing.Waiting _, Standing.Failed _ -> standing.obstacle();
    };
  }

  /** The flows and where they stand, for people. */
  Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>();
    flows.forEach(
        (flow, topology) -> details.put(model + "." + flow.label(), topology.standing().word()));
    return details;
  }

  /** Tells them to end, without waiting. */
  void stop() {
    flows.values().forEach(SupervisedTopology::stop);
  }

  @Override
  public void close() {
    flows.values().forEach(SupervisedTopology::close);
  }

  /** At most one trouble of a kind: scoring's before the join's. */
  private synchronized void say() {
    Map<TroubleKind, String> now = new EnumMap<>(TroubleKind.class);
    List<Obstacle> obstacles = new ArrayList<>();
    flows.values().forEach(topology -> obstacles.add(topology.standing().obstacle()));
    obstacles.addAll(signs.now());
    for (Obstacle obstacle : obstacles) {
      if (obstacle != null && obstacle.kind() != null) {
        now.putIfAbsent(obstacle.kind(), obstacle.sentence());
      }
    }
    String failure = unanswered.get();
    if (failure != null) {
      now.putIfAbsent(TroubleKind.KAFKA, failure);
    }
    for (TroubleKind kind : KINDS) {
      String sentence = now.get(kind);
      if (sentence == null) {
        troubles.end(model, kind);
      } else {
        troubles.begin(model, kind, sentence);
      }
    }
  }
}
