package io.holdfast.service.rest;

import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.Sentence;
import io.holdfast.service.model.ServedModel;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.ops.AnswersProblems;
import io.holdfast.service.request.AskedVersions;
import io.holdfast.service.request.JsonScorer;
import io.holdfast.service.request.Limit;
import io.holdfast.service.request.RecordTemplate;
import io.holdfast.service.watch.Distribution;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;

/** The versions that the model topic holds, and what the one that serves goes by. Thread-safe. */
@AnswersProblems
@Controller("/api/v1/models")
@ExecuteOn(TaskExecutors.BLOCKING)
public final class VersionsController {
  private final ServedModels models;
  private final AskedVersions asked;
  private final JsonScorer scorer;

  VersionsController(ServedModels models, AskedVersions asked, JsonScorer scorer) {
    this.models = models;
    this.asked = asked;
    this.scorer = scorer;
  }

  /** The model's versions, newest first. */
  @Get("/{name}/versions")
  public List<VersionView> versions(String name, @QueryValue(defaultValue = "100") int limit) {
    ServedModel model = asked.model(name);
    return models.versions(model.settings().name()).stream()
        .limit(Limit.of(limit))
        .map(VersionView::of)
        .toList();
  }

  /** What a version was made of. */
  @Get("/{name}/versions/{version}")
  public VersionDetail version(String name, long version) {
    ServedModel model = asked.model(name);
    return models.versions(model.settings().name()).stream()
        .filter(known -> known.number() == version)
        .findFirst()
        .map(VersionDetail::of)
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemKind.NO_SUCH_VERSION,
                    Sentence.of("the model topic holds no version %d of model %s", version, name)));
  }

  /** What each feature is worth to the version that serves. */
  @Get("/{name}/importance")
  public ImportanceView importance(String name) {
    ServedModel.Serving serving = asked.model(name).serving();
    if (serving == null) {
      throw new ProblemException(
          ProblemKind.NOT_READY, "model " + name + " has no verified version yet");
    }
    return ImportanceView.of(serving.model().number(), serving.model().version().model());
  }

  /** How the newest scores of this instance are distributed. */
  @Get("/{name}/distribution")
  public Distribution distribution(String name) {
    ServedModel model = asked.model(name);
    ServedModel.Serving serving = model.serving();
    double[] values = model.scores().recent().values();
    return serving == null || serving.model().objective().classes() <= 2
        ? Distribution.ofNumbers(values)
        : Distribution.ofClasses(values, serving.model().classes());
  }

  /** A record to fill in, by the newest schema that the serving version can score. */
  @Get("/{name}/template")
  public String template(String name) {
    AskedVersions.Asked serving = asked.find(name, null, null);
    return RecordTemplate.of(
        scorer.schemas(serving, null).getFirst(), serving.of().settings().label());
  }
}
