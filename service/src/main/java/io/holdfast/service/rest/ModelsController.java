package io.holdfast.service.rest;

import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import io.holdfast.service.heads.HeadView;
import io.holdfast.service.label.LabelDelay;
import io.holdfast.service.label.LabelOutcome;
import io.holdfast.service.label.OutcomeMeters;
import io.holdfast.service.label.RecordOutcome;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.Rejection;
import io.holdfast.service.model.ServedModel;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.ops.AnswersProblems;
import io.holdfast.service.report.RecentReports;
import io.holdfast.service.request.AskedVersions;
import io.holdfast.service.request.Limit;
import io.holdfast.service.route.DeadLetters;
import io.holdfast.service.runtime.ServiceStatus;
import io.holdfast.service.score.LiveExpectation;
import io.holdfast.service.score.ScoreMeters;
import io.holdfast.service.watch.LabelCoverage;
import io.holdfast.service.watch.ModelState;
import io.holdfast.service.watch.RecentLoss;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What serves, what is known, and what was seen. Thread-safe. */
@AnswersProblems
@Controller("/api/v1/models")
@ExecuteOn(TaskExecutors.BLOCKING)
public final class ModelsController {
  /** So many of the newest reports are looked through for what corrects expectations. */
  private static final int RECENT = 10;

  /** And for what says how a model is. */
  private static final int JUDGED = 100;

  private final ServedModels models;
  private final AskedVersions asked;
  private final RecentReports reports;
  private final MeterRegistry meters;
  private final ServiceStatus status;

  ModelsController(
      ServedModels models,
      AskedVersions asked,
      RecentReports reports,
      MeterRegistry meters,
      ServiceStatus status) {
    this.models = models;
    this.asked = asked;
    this.reports = reports;
    this.meters = meters;
    this.status = status;
  }

  /** All configured models. */
  @Get
  public List<ModelView> models() {
    Map<String, ModelMeters> all = ModelMeters.all(meters);
    return models.all().stream()
        .map(model -> view(model, all.getOrDefault(model.settings().name(), ModelMeters.NONE)))
        .toList();
  }

  /** One model. */
  @Get("/{name}")
  public ModelView model(String name) {
    return view(asked.model(name), ModelMeters.of(meters, name));
  }

  /** The newest window reports beyond the window {@code after}, oldest first. */
  @Get("/{name}/reports")
  public List<ReportView> reports(
      String name,
      @QueryValue(defaultValue = "100") int limit,
      @QueryValue(defaultValue = "0") long after) {
    ServedModel model = asked.model(name);
    return reports.newest(model.settings().name(), Limit.of(limit)).stream()
        .filter(report -> report.getWindow() > after)
        .map(ReportView::of)
        .toList();
  }

  private ModelView view(ServedModel model, ModelMeters its) {
    ModelSettings settings = model.settings();
    String name = settings.name();
    ServedModel.Serving serving = model.serving();
    List<WindowReport> judged = reports.newest(name, JUDGED);
    LabelCoverage coverage = coverage(its);
    ModelState state =
        ModelState.of(
            new ModelState.Facts(
                serving != null,
                model.staleness(),
                status.troubles().stream().filter(one -> one.model().equals(name)).toList(),
                judged,
                coverage));
    return new ModelView(
        name,
        settings.booster().objective().name(),
        described(settings),
        settings.labels() instanceof Labels.InRecord ? "record" : "topic",
        serving == null ? null : serving(serving),
        serving == null ? null : HeadView.of(serving.head()),
        model.swaps(),
        reports.newestWindow(name),
        Figures.finite(
            LiveFigures.of(its.gauges(LiveExpectation.NAME), reports.newest(name, RECENT))),
        model.rejections().stream().map(ModelsController::rejected).toList(),
        counts(its),
        topics(settings),
        ModelView.State.of(state),
        ModelView.Recent.of(RecentLoss.of(judged)),
        new ModelView.Coverage(
            Figures.finite(coverage.share()),
            coverage.labelled(),
            coverage.unlabelled(),
            held(its),
            LabelDelay.meanSeconds(its.timer(LabelDelay.NAME))));
  }

  private static String described(ModelSettings settings) {
    String objective = ModelSettings.described(settings.booster().objective());
    ClassLabels classes = ClassLabels.of(settings.classes());
    return classes.isNamed() ? objective + ": " + classes : objective;
  }

  private static ModelView.Serving serving(ServedModel.Serving serving) {
    ActiveModel model = serving.model();
    return new ModelView.Serving(
        model.number(),
        model.version().hash().hex(),
        model.version().model().trees(),
        model.width(),
        model.classes().names(),
        serving.head().getReason().name(),
        serving.since());
  }

  private static ModelView.Rejected rejected(Rejection rejection) {
    return new ModelView.Rejected(
        rejection.version(),
        rejection.reason(),
        rejection.detail(),
        Instant.ofEpochMilli(rejection.timestampMillis()));
  }

  private static ModelView.Counts counts(ModelMeters its) {
    return new ModelView.Counts(
        its.count(ScoreMeters.SCORED),
        its.count(ScoreMeters.SHADOW_SCORED),
        its.countsBy("reason", ScoreMeters.SHADOW_FAILED),
        its.countsBy("reason", DeadLetters.COUNT, "of", Subject.RECORD.label()),
        its.countsBy("reason", DeadLetters.COUNT),
        its.countsBy("outcome", OutcomeMeters.LABELS),
        its.countsBy("reason", OutcomeMeters.RECORDS_WITHOUT_LABEL));
  }

  private static LabelCoverage coverage(ModelMeters its) {
    Map<String, Long> labels = its.countsBy("outcome", OutcomeMeters.LABELS);
    Map<String, Long> without = its.countsBy("reason", OutcomeMeters.RECORDS_WITHOUT_LABEL);
    return new LabelCoverage(
        labels.getOrDefault(LabelOutcome.USED.name(), 0L),
        labels.getOrDefault(LabelOutcome.ABSENT.name(), 0L)
            + without.getOrDefault(RecordOutcome.UNLABELLED.name(), 0L));
  }

  private static @Nullable Double held(ModelMeters its) {
    double seconds =
        its.gauges(OutcomeMeters.LABELS_HELD).mapToDouble(Gauge::value).max().orElse(0);
    return seconds > 0 ? Figures.finite(seconds) : null;
  }

  private static Map<String, String> topics(ModelSettings settings) {
    Map<String, String> topics = new LinkedHashMap<>();
    topics.put("records", settings.topics().records());
    topics.put("scores", settings.topics().scores());
    topics.put("shadowScores", settings.topics().shadowScores());
    if (settings.labels() instanceof Labels.InTopic) {
      topics.put("labels", settings.topics().labels());
      topics.put("join", settings.topics().join());
    }
    topics.put("examples", settings.topics().examples());
    topics.put("deadLetters", settings.topics().deadLetters());
    return topics;
  }
}
