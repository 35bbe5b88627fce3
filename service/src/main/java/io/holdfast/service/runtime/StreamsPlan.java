package io.holdfast.service.runtime;

import static java.util.Objects.requireNonNull;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.registry.RegistryException;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.StreamsNames;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.topic.TopicFollower;
import io.holdfast.schemas.topic.TopicInspector;
import io.holdfast.schemas.topic.TopicInspector.Topic;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import io.holdfast.service.hold.HoldingClients;
import io.holdfast.service.hold.RegistryAccess;
import io.holdfast.service.join.CommittedProgress;
import io.holdfast.service.join.JoinFramings;
import io.holdfast.service.join.JoinTopology;
import io.holdfast.service.model.Rejection;
import io.holdfast.service.model.ServedModel;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
import io.holdfast.service.resume.OutcomePoints;
import io.holdfast.service.resume.ResumePoints;
import io.holdfast.service.resume.SourceTopics;
import io.holdfast.service.score.ScoreAhead;
import io.holdfast.service.score.ScoringTopology;
import io.holdfast.service.watch.TopicWatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/** What one topology of one model needs, and how it is started. Thread-safe. */
final class StreamsPlan {
  private static final long ASK_NANOS = 1_000_000_000;

  private final Parts parts;
  private final ModelSettings model;
  private final Flow flow;
  private final List<String> topics;
  private final SourceTopics sources;
  private volatile WrittenFramings written = WrittenFramings.SINGLE; // until it may be started
  private @Nullable Obstacle fenced; // by an instance of the same id; of the supervisor's thread
  private long askedNanos;

  /** What the plans of all models are made of. */
  record Parts(
      Settings settings,
      SchemaTopic schemas,
      RegistryAccess registry,
      ServedModels models,
      TopicFollower loader,
      TopicWatch topics,
      Troubles troubles,
      RecentReports reports,
      Instances instances,
      StreamsRun.Meters meters) {}

  StreamsPlan(Parts parts, ModelSettings model, Flow flow) {
    this.parts = parts;
    this.model = model;
    this.flow = flow;
    this.topics =
        flow == Flow.SCORE ? TopicCheck.scoringTopics(model) : TopicCheck.joinTopics(model);
    this.sources = new SourceTopics(names -> ids(parts.topics().now(names)));
  }

  /** Also the consumer group. */
  String applicationId() {
    return switch (flow) {
      case SCORE -> StreamsNames.score(parts.settings(), model);
      case JOIN -> StreamsNames.join(parts.settings(), model);
    };
  }

  /** What an error that it ended on means to a user. */
  Obstacle obstacle(Throwable error) {
    Obstacle obstacle = StreamsFailure.of(flow.activity(), parts.settings(), error);
    if (StreamsFailure.fenced(error)) {
      fenced = obstacle;
      askedNanos = System.nanoTime() - ASK_NANOS;
    }
    return obstacle;
  }

  /**
   * The instance of the same id that came later, as long as it is in the group: who was thrown out
   * would else throw it out, and so on for ever.
   */
  private @Nullable Obstacle twin() {
    long now = System.nanoTime();
    if (fenced != null && now - askedNanos >= ASK_NANOS) {
      askedNanos = now;
      if (!parts.instances().has(applicationId(), InstanceId.of(parts.settings().service()))) {
        fenced = null;
      }
    }
    return fenced;
  }

  /** What keeps it from being started now; null if nothing does. */
  @Nullable Obstacle beforeStart() {
    String unanswered = parts.topics().failure();
    if (!parts.topics().looked()) {
      return unanswered == null
          ? new Obstacle(null, "its topics are being looked at")
          : new Obstacle(TroubleKind.KAFKA, unanswered);
    }
    Obstacle obstacle = whileRunning();
    if (obstacle == null) {
      obstacle = twin();
    }
    if (obstacle == null) {
      obstacle = registrationAwaited();
    }
    return obstacle == null && flow == Flow.SCORE ? versionAwaited() : obstacle;
  }

  private @Nullable Obstacle registrationAwaited() {
    try {
      written = parts.registry().written().of(model);
      return null;
    } catch (RegistryException e) {
      return new Obstacle(TroubleKind.SCHEMA, flow.activity() + " waits: " + e.getMessage());
    }
  }

  /** What it cannot go on with now that it runs; null if there is nothing. */
  @Nullable Obstacle whileRunning() {
    List<String> problems = parts.topics().problems(model, topics);
    return problems.isEmpty()
        ? null
        : new Obstacle(
            TroubleKind.TOPIC, flow.activity() + " waits: " + String.join("; ", problems));
  }

  private @Nullable Obstacle versionAwaited() {
    if (!parts.loader().current()) {
      return new Obstacle(null, "the model topic is being read");
    }
    ServedModel served = parts.models().find(model.name()).orElseThrow();
    if (served.serving() != null) {
      return null;
    }
    if (!served.rejections().isEmpty()) {
      Rejection last = served.rejections().getFirst();
      boolean unreadable = last.reason().equals(Reason.INCOMPATIBLE_SCHEMA.name());
      return new Obstacle(
          unreadable ? TroubleKind.SCHEMA : TroubleKind.VERSION,
          Sentence.of(
              "it has no verified version yet; the last was refused: %s%s",
              last.detail(), unreadable ? "; register a schema that fits" : ""));
    }
    String records = model.topics().records();
    return parts.schemas().latest(records).isPresent()
        ? new Obstacle(
            TroubleKind.VERSION,
            "it has no verified version yet: its trainer publishes the first, so see whether that"
                + " runs")
        : new Obstacle(
            TroubleKind.SCHEMA,
            Sentence.of(
                "it has no verified version yet, since no schema is known of the records of topic"
                    + " %s: register one on the schema topic %s, as 'holdfast replay' does, or name"
                    + " a file in holdfast.models.%s.schemas",
                records, parts.settings().topics().schemas(), model.name()));
  }

  /** The topics that it reads and writes: others if one was made anew, or has more partitions. */
  Map<String, Topic> topics() {
    return parts.topics().found(topics);
  }

  /** Makes sure that the answers of the other methods are of now. */
  void lookAgain() {
    parts.topics().lookAgain();
  }

  private static Map<String, Uuid> ids(Map<String, Topic> topics) {
    Map<String, Uuid> ids = new HashMap<>();
    topics.forEach((name, topic) -> ids.put(name, topic.id()));
    return ids;
  }

  /** A client that is not started yet. */
  StreamsRun open() {
    sources.begin(ids(topics()));
    Properties properties = StreamsSettings.of(parts.settings(), applicationId());
    return switch (flow) {
      case SCORE -> {
        var gate = new ModelTopicGate(parts.loader());
        RecordFraming records = parts.registry().framings().records(model);
        ResumePoints points = OutcomePoints.ofRecords(parts.settings(), model);
        var clients =
            parts.registry().clients(model, model.topics().records(), records, points, sources);
        yield run(scoring(records, properties, gate), properties, gate, stable(clients, points));
      }
      case JOIN -> {
        growChangelog();
        RecordFraming labels = parts.registry().framings().labels(model);
        ResumePoints points = OutcomePoints.ofLabels(parts.settings(), model);
        var clients =
            parts.registry().clients(model, model.topics().labels(), labels, points, sources);
        yield run(
            JoinTopology.of(
                model,
                new JoinFramings(parts.registry().framings().single(), labels, written.examples()),
                parts.meters().registry(),
                parts.troubles(),
                new CommittedProgress(
                    parts.settings().kafka(),
                    model.topics().records(),
                    StreamsNames.score(parts.settings(), model),
                    model.topics().labels(),
                    applicationId()),
                requireNonNull(parts.models().scores(model.name()))::labelled),
            properties,
            null,
            stable(clients, points));
      }
    };
  }

  private StreamsRun run(
      Topology topology,
      Properties properties,
      @Nullable ModelTopicGate gate,
      StableClients clients) {
    return new StreamsRun(parts, flow, model.name(), topology, properties, gate, clients);
  }

  private StableClients stable(@Nullable HoldingClients clients, ResumePoints points) {
    String instance = InstanceId.of(parts.settings().service());
    return new StableClients(applicationId(), instance, clients, points, sources);
  }

  /** Each partition of the join's topic has one of the changelog. */
  private void growChangelog() {
    String changelog = StreamsNames.changelog(parts.settings(), model);
    int join = parts.topics().partitions(model.topics().join());
    int present = parts.topics().partitions(changelog);
    if (present > 0 && present < join) {
      TopicInspector.grow(parts.settings(), changelog, join);
    }
  }

  private Topology scoring(RecordFraming records, Properties properties, ModelTopicGate gate) {
    var meters = parts.meters().registry();
    var ahead = new ScoreAhead(List.of(model), records, parts.models(), meters, gate);
    ahead.addTo(properties);
    return ScoringTopology.of(
        List.of(model), records, written, parts.models(), meters, parts.troubles(), ahead);
  }
}
