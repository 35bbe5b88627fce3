package io.holdfast.service.runtime;

import io.holdfast.http.BuildMeter;
import io.holdfast.http.LagMeters;
import io.holdfast.http.TroubleMeters;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.framing.ContractFramings;
import io.holdfast.schemas.framing.TopicFramings;
import io.holdfast.schemas.lag.Lag;
import io.holdfast.schemas.lag.LagMonitor;
import io.holdfast.schemas.lag.Stage;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.DeclaredSchema;
import io.holdfast.schemas.topic.OwnSchemas;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.StreamsNames;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.topic.TopicFollower;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.service.hold.RegistryAccess;
import io.holdfast.service.model.ServedModel;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
import io.holdfast.service.report.ReportReader;
import io.holdfast.service.watch.ScoreWriters;
import io.holdfast.service.watch.TopicWatch;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.kafka.clients.CommonClientConfigs;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that runs beside HTTP: what follows the shared topics, and each model's topologies,
 * which wait for what they need. Started and closed by one thread; asked by any.
 */
public final class ServiceRuntime implements ServiceStatus, RecordSchemas, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceRuntime.class);
  private static final int REPORTS_KEPT = 1_000;

  private final Settings settings;
  private final Troubles troubles;
  private final SchemaTopic schemas;
  private final RegistryAccess registry;
  private final OwnSchemas own;
  private final ServedModels models;
  private final TopicFollower loader;
  private final RecentReports reports;
  private final ReportReader reportReader;
  private final TopicWatch topics;
  private final ScoreWriters scoreWriters;
  private final ScheduledExecutorService timer;
  private final List<ModelTopologies> topologies = new ArrayList<>();
  private final LagMonitor lag;
  private final Instances instances;
  private volatile boolean started; // has been ready once
  private @Nullable ScheduledFuture<?> readinessLog;
  private String readiness = ""; // of the timer's thread

  /** Begins to follow the schema topic; starts nothing else. */
  public ServiceRuntime(Settings settings, MeterRegistry meters, InstantSource clock) {
    this.settings = settings;
    this.troubles = new Troubles(clock);
    BuildMeter.bind("service", meters);
    TroubleMeters.bind("holdfast.trouble", troubles, settings.models().keySet(), meters);
    this.schemas = new SchemaTopic(settings.kafka(), settings.topics().schemas());
    for (ModelSettings model : settings.models().values()) {
      DeclaredSchema.of(model).forEach(schemas::add);
    }
    var single = new SingleObjectFraming(withContracts(schemas));
    this.registry = new RegistryAccess(settings, schemas, single, troubles, meters);
    this.own =
        new OwnSchemas(schemas, settings.kafka(), settings.topics().schemas(), own(settings));
    this.models =
        new ServedModels(
            settings.models().values(),
            schemas::all,
            model -> TopicCheck.shadowProblems(settings, model),
            meters,
            clock);
    this.loader = new TopicFollower(namedReader(settings), settings.topics().models(), models);
    this.reports = new RecentReports(settings.models().keySet(), REPORTS_KEPT);
    this.reportReader =
        new ReportReader(settings.kafka(), settings.topics().reports(), reports, troubles);
    this.topics =
        new TopicWatch(
            settings,
            settings.models().values().stream()
                .filter(model -> model.labels() instanceof Labels.InTopic)
                .map(model -> StreamsNames.changelog(settings, model))
                .toList());
    this.scoreWriters = new ScoreWriters(settings, topics, troubles, clock);
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast-meters").factory());
    this.instances = new Instances(settings);
    var parts =
        new StreamsPlan.Parts(
            settings,
            schemas,
            registry,
            models,
            loader,
            topics,
            troubles,
            reports,
            instances,
            new StreamsRun.Meters(meters, timer));
    for (ModelSettings model : settings.models().values()) {
      topologies.add(new ModelTopologies(parts, model, troubles));
    }
    this.lag =
        new LagMonitor(settings.kafka(), stages(), troubles, model -> true, problem -> {}, clock);
    LagMeters.bind("holdfast.lag", lag, meters);
  }

  /** Fails if the models' settings do not fit the schemas of their records known already. */
  public void checkSchemas() {
    schemas.check(settings.models().values());
  }

  /** Starts the loader, and each model's topologies as soon as they have what they need. */
  public void start() {
    topics.start();
    scoreWriters.start();
    loader.start();
    var _ = timer.scheduleWithFixedDelay(() -> models.judge(troubles), 1, 1, TimeUnit.SECONDS);
    reportReader.start();
    registry.start();
    own.start();
    topologies.forEach(ModelTopologies::start);
    lag.start();
    readinessLog =
        timer.scheduleWithFixedDelay(this::logReadiness, 500, 500, TimeUnit.MILLISECONDS);
  }

  public ServedModels models() {
    return models;
  }

  public RecentReports reports() {
    return reports;
  }

  /** How the models' topics are framed. */
  public TopicFramings framings() {
    return registry.framings();
  }

  @Override
  public List<Schema> all(String topic) {
    return schemas.all(topic);
  }

  @Override
  public Optional<Schema> find(long fingerprint) {
    return Optional.ofNullable(schemas.find(fingerprint));
  }

  @Override
  public List<String> failures() {
    String failure = loader.failure();
    return failure == null ? List.of() : List.of(failure);
  }

  @Override
  public List<String> starting() {
    if (started) {
      return List.of();
    }
    List<String> awaited = Stream.concat(restAwaited().stream(), awaited().stream()).toList();
    started = awaited.isEmpty();
    return awaited;
  }

  @Override
  public List<String> joinAwaited() {
    return topologies.stream()
        .flatMap(model -> Stream.ofNullable(model.awaited(Flow.JOIN)))
        .toList();
  }

  @Override
  public List<String> restAwaited() {
    List<String> waiting =
        topologies.stream()
            .map(ModelTopologies::model)
            .filter(model -> models.active(model) == null)
            .map(model -> "model " + model + ": no verified version has been read yet")
            .toList();
    // Once the model topic has been read as a whole, those that serve are all that can.
    return loader.caughtUp() && waiting.size() < topologies.size() ? List.of() : waiting;
  }

  @Override
  public List<String> awaited() {
    List<String> awaited = new ArrayList<>(failures());
    boolean scores = false;
    for (ModelTopologies model : topologies) {
      scores |= model.scores();
      String sentence = model.starting(Flow.SCORE);
      if (sentence != null) {
        awaited.add(sentence);
      }
    }
    if (!scores && awaited.isEmpty()) {
      awaited.addAll(degraded()); // nothing is served: what is wrong with each is why
    }
    if (!scores && awaited.isEmpty()) {
      awaited.add("no model is scored yet");
    }
    return awaited;
  }

  @Override
  public List<String> degraded() {
    return Stream.concat(
            models.all().stream().map(ServedModel::staleness).flatMap(Optional::stream),
            troubles.all().stream()
                .filter(trouble -> trouble.kind().degrades())
                .map(trouble -> "model " + trouble.model() + ": " + trouble.sentence()))
        .toList();
  }

  @Override
  public List<Trouble> troubles() {
    return troubles.all();
  }

  @Override
  public Map<Stage, Lag> lags() {
    Map<Stage, Lag> lags = new LinkedHashMap<>();
    for (Stage stage : lag.stages()) {
      Lag found = lag.lag(stage);
      if (found != null) {
        lags.put(stage, found);
      }
    }
    return lags;
  }

  @Override
  public Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("modelTopic", loader.current() ? "read to its end" : "being read");
    String reportFailure = reportReader.failure();
    details.put("reports", reportFailure == null ? "being read" : reportFailure);
    topologies.forEach(model -> details.putAll(model.details()));
    return details;
  }

  @Override
  public void close() {
    if (readinessLog != null) {
      readinessLog.cancel(false);
    }
    lag.close();
    // All at once: a client may take seconds to end.
    topologies.forEach(ModelTopologies::stop);
    topologies.forEach(ModelTopologies::close);
    scoreWriters.close();
    instances.close();
    topics.close();
    timer.shutdownNow();
    reportReader.close();
    loader.close();
    registry.close();
    own.close();
    schemas.close();
  }

  /** The schemas of what is written, by topic. */
  private static Map<String, List<Schema>> own(Settings settings) {
    Map<String, List<Schema>> own = new LinkedHashMap<>();
    for (ModelSettings model : settings.models().values()) {
      Schema score = ContractFramings.schema(model, Contracts.SCORE);
      own.put(model.topics().scores(), List.of(score));
      own.put(model.topics().shadowScores(), List.of(score));
      own.put(
          model.topics().examples(), List.of(ContractFramings.schema(model, Contracts.EXAMPLE)));
    }
    return own;
  }

  /** The client settings of the model topic's reader, which a broker's log and quotas can name. */
  private static Map<String, String> namedReader(Settings settings) {
    Map<String, String> kafka = new LinkedHashMap<>(settings.kafka());
    kafka.put(
        "consumer." + CommonClientConfigs.CLIENT_ID_CONFIG,
        settings.service().applicationId() + "-" + InstanceId.of(settings.service()) + "-models");
    return kafka;
  }

  /** Logs when the service becomes ready, and when it is no longer, with the reasons. */
  private void logReadiness() {
    var _ = starting(); // whether anybody asks or not
    List<String> awaited = awaited();
    String now =
        awaited.isEmpty()
            ? topologies.stream()
                .filter(ModelTopologies::scores)
                .map(ModelTopologies::model)
                .collect(Collectors.joining(", ", "ready: records of ", " are scored"))
            : "not ready: " + String.join("; ", awaited);
    if (!now.equals(readiness)) {
      readiness = now;
      LOG.info("{}", now);
    }
  }

  /** What is done for each model, by this program and by trainers. */
  private List<Stage> stages() {
    List<Stage> stages = new ArrayList<>();
    for (ModelSettings model : settings.models().values()) {
      stages.add(Stage.score(settings, model));
      if (Stage.joins(model)) {
        stages.add(Stage.join(settings, model));
      }
      stages.add(Stage.train(settings, model));
    }
    return stages;
  }

  /** Labels may be of our own contract, whose schema nobody needs to register. */
  private static SchemaSource withContracts(SchemaSource schemas) {
    Schema label = Label.getClassSchema();
    long fingerprint = Fingerprint.of(label);
    return wanted -> wanted == fingerprint ? label : schemas.find(wanted);
  }
}
