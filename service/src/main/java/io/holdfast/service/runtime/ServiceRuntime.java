package io.holdfast.service.runtime;

import io.holdfast.http.TroubleMeters;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.service.join.JoinTopology;
import io.holdfast.service.model.ModelLoader;
import io.holdfast.service.model.Rejection;
import io.holdfast.service.model.ServedModel;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
import io.holdfast.service.report.ReportReader;
import io.holdfast.service.score.ScoreAhead;
import io.holdfast.service.score.ScoringTopology;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that runs beside HTTP, and its order: schemas, then versions, then topologies. Started
 * and closed by one thread; asked by any.
 */
public final class ServiceRuntime implements ServiceStatus, RecordSchemas, AutoCloseable {
  private static final int REPORTS_KEPT = 1_000;
  private static final Logger LOG = LoggerFactory.getLogger(ServiceRuntime.class);

  private final Settings settings;
  private final MeterRegistry meters;
  private final Troubles troubles;
  private final SchemaTopic schemas;
  private final Framing framing;
  private final ServedModels models;
  private final ModelLoader loader;
  private final RecentReports reports;
  private final ReportReader reportReader;
  private final List<StreamsRun> topologies = new CopyOnWriteArrayList<>();
  private final Thread starter;
  private volatile boolean started;
  private volatile boolean closing;
  private volatile @Nullable String startFailure;

  /** Begins to follow the schema topic; starts nothing else. */
  public ServiceRuntime(Settings settings, MeterRegistry meters, InstantSource clock) {
    this.settings = settings;
    this.meters = meters;
    this.troubles = new Troubles(clock);
    TroubleMeters.bind("holdfast.trouble", troubles, settings.models().keySet(), meters);
    this.schemas = new SchemaTopic(settings.kafka(), settings.topics().schemas());
    for (ModelSettings model : settings.models().values()) {
      for (Path file : model.schemas()) {
        schemas.add(model.topics().records(), SchemaFile.read(file));
      }
    }
    this.framing = new SingleObjectFraming(withContracts(schemas));
    this.models =
        new ServedModels(
            settings.models().values(),
            schemas::latest,
            model -> TopicCheck.shadowProblems(settings, model),
            meters,
            clock);
    this.loader = new ModelLoader(settings.kafka(), settings.topics().models(), models);
    this.reports = new RecentReports(settings.models().keySet(), REPORTS_KEPT);
    this.reportReader = new ReportReader(settings.kafka(), settings.topics().reports(), reports);
    this.starter =
        Thread.ofPlatform()
            .name("holdfast-start")
            .uncaughtExceptionHandler(this::startFailed)
            .unstarted(this::startTopologies);
  }

  /**
   * Holds the models' settings against the schemas of their records that are known already.
   *
   * @throws io.holdfast.schemas.settings.SettingsException if they do not fit
   */
  public void checkSchemas() {
    schemas.check(settings.models().values());
  }

  /** Starts the loader, and the topologies as soon as every model has a verified version. */
  public void start() {
    started = true;
    loader.start();
    reportReader.start();
    starter.start();
  }

  public ServedModels models() {
    return models;
  }

  public RecentReports reports() {
    return reports;
  }

  @Override
  public Optional<Schema> latest(String topic) {
    return schemas.latest(topic);
  }

  @Override
  public Optional<Schema> find(long fingerprint) {
    return Optional.ofNullable(schemas.find(fingerprint));
  }

  @Override
  public List<String> failures() {
    List<String> failures = new ArrayList<>();
    add(failures, startFailure);
    add(failures, loader.failure());
    for (StreamsRun topology : topologies) {
      add(failures, topology.failure());
    }
    return failures;
  }

  @Override
  public List<String> awaited() {
    List<String> awaited = new ArrayList<>(failures());
    for (ServedModel model : models.all()) {
      if (model.serving() == null) {
        List<Rejection> rejections = model.rejections();
        awaited.add(
            "model "
                + model.settings().name()
                + " has no verified version yet"
                + (rejections.isEmpty()
                    ? ": the trainer publishes its first once it knows the record schema"
                    : "; the last was refused: " + rejections.getFirst().detail()));
      }
    }
    if (awaited.isEmpty() && topologies.isEmpty()) {
      awaited.add("the topologies have not been started yet");
    }
    for (StreamsRun topology : topologies) {
      if (!topology.running()) {
        awaited.add("topology " + topology.name() + " is " + topology.state());
      }
    }
    return awaited;
  }

  @Override
  public List<String> degraded() {
    return Stream.concat(
            models.all().stream().map(ServedModel::staleness).flatMap(Optional::stream),
            troubles.all().stream()
                .map(trouble -> "model " + trouble.model() + ": " + trouble.sentence()))
        .toList();
  }

  @Override
  public List<Trouble> troubles() {
    return troubles.all();
  }

  @Override
  public Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("modelTopic", loader.caughtUp() ? "read to its end" : "being read");
    String reportFailure = reportReader.failure();
    details.put("reports", reportFailure == null ? "being read" : reportFailure);
    for (StreamsRun topology : topologies) {
      details.put(topology.name(), topology.state());
    }
    return details;
  }

  @Override
  public void close() {
    closing = true;
    if (started) {
      starter.interrupt();
      try {
        starter.join(Duration.ofSeconds(60));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    topologies.forEach(StreamsRun::close);
    reportReader.close();
    loader.close();
    schemas.close();
  }

  private void startTopologies() {
    try {
      models.awaitAll();
    } catch (InterruptedException e) {
      return; // closed while waiting
    }
    List<ModelSettings> all = List.copyOf(settings.models().values());
    String id = settings.service().applicationId();
    ScoreAhead ahead = new ScoreAhead(all, framing, models, meters);
    Properties scoring = StreamsSettings.of(settings, id + "-score");
    ahead.addTo(scoring);
    topologies.add(
        new StreamsRun(
            "score", ScoringTopology.of(all, framing, models, meters, ahead), scoring, meters));
    if (JoinTopology.needed(all)) {
      topologies.add(
          new StreamsRun(
              "join",
              JoinTopology.of(all, framing, meters),
              StreamsSettings.of(settings, id + "-join"),
              meters));
    }
    if (!closing) {
      topologies.forEach(StreamsRun::start);
    }
  }

  private void startFailed(Thread thread, Throwable cause) {
    startFailure = "the topologies could not be started: " + cause.getMessage();
    LOG.error("the topologies could not be started", cause);
  }

  /** Labels may be of our own contract, whose schema nobody needs to register. */
  private static SchemaSource withContracts(SchemaSource schemas) {
    Schema label = Label.getClassSchema();
    long fingerprint = Fingerprint.of(label);
    return wanted -> wanted == fingerprint ? label : schemas.find(wanted);
  }

  private static void add(List<String> sentences, @Nullable String sentence) {
    if (sentence != null) {
      sentences.add(sentence);
    }
  }
}
