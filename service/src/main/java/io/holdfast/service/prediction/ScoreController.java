package io.holdfast.service.prediction;

import io.holdfast.http.Permitted;
import io.holdfast.schemas.settings.Security.Role;
import io.holdfast.service.ops.AnswersProblems;
import io.holdfast.service.request.AskedVersions;
import io.holdfast.service.request.AskedVersions.Asked;
import io.holdfast.service.request.JsonRecords;
import io.holdfast.service.request.JsonScorer;
import io.holdfast.service.request.Limit;
import io.holdfast.service.request.TimeLimit;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scores JSON records while the caller waits, and says why. Nothing is written to a topic.
 * Thread-safe.
 *
 * <p>The query of each: {@code version}, without which it is the one that serves; {@code gamma},
 * whose leaf values score; {@code schema}, the fingerprint of the record schema to read by, without
 * which it is the newest that a record has the fields of, of those of the model's record topic that
 * fit the version.
 */
@AnswersProblems
@Controller("/api/v1/models")
@ExecuteOn(TaskExecutors.BLOCKING)
@Permitted(Role.VIEWER)
public final class ScoreController {
  private static final int MOST_COMPARED = 20;

  private final AskedVersions versions;
  private final JsonScorer scorer;
  private final Explanations explanations;

  ScoreController(AskedVersions versions, JsonScorer scorer, Explanations explanations) {
    this.versions = versions;
    this.scorer = scorer;
    this.explanations = explanations;
  }

  /** Scores a JSON object, or an array of up to 1,000. */
  @Post("/{name}/score")
  public ScoreView score(
      String name,
      @Body @RequestBody(content = @Content(schema = @Schema(implementation = JsonRecord.class)))
          byte[] body,
      @Nullable @QueryValue Long version,
      @Nullable @QueryValue Double gamma,
      @Nullable @QueryValue String schema) {
    Asked asked = versions.find(name, version, gamma);
    List<ScoreView.Prediction> predictions =
        scorer.score(asked, JsonRecords.read(body), scorer.schemas(asked, schema)).stream()
            .map(scored -> ScoreView.Prediction.of(asked.active(), scored))
            .toList();
    return new ScoreView(VersionUsed.of(asked), predictions);
  }

  /** What each feature contributes to the scores of an object, or of up to 100 (Shapley values). */
  @Post("/{name}/explain")
  public ExplainView explain(
      String name,
      @Body @RequestBody(content = @Content(schema = @Schema(implementation = JsonRecord.class)))
          byte[] body,
      @Nullable @QueryValue Long version,
      @Nullable @QueryValue Double gamma,
      @Nullable @QueryValue String schema) {
    Asked asked = versions.find(name, version, gamma);
    List<JsonRecords.Given> records = JsonRecords.read(body);
    JsonRecords.checkNumber(records.size(), Explanations.MOST);
    return explanations.of(
        asked, scorer.score(asked, records, scorer.schemas(asked, schema)), scorer.limit());
  }

  /** What changes of a record would do to its score. */
  @Post("/{name}/what-if")
  public WhatIfView whatIf(
      String name,
      @Body @RequestBody(content = @Content(schema = @Schema(implementation = WhatIfRequest.class)))
          byte[] body,
      @Nullable @QueryValue Long version,
      @Nullable @QueryValue Double gamma,
      @Nullable @QueryValue String schema) {
    Asked asked = versions.find(name, version, gamma);
    WhatIfRequest request = WhatIfRequest.parse(body);
    return WhatIfView.of(
        asked,
        scorer.score(asked, request.records(), scorer.schemas(asked, schema)).stream()
            .map(scored -> ScoreView.Prediction.of(asked.active(), scored))
            .toList());
  }

  /** What the last versions and each of their gammas say of one record, newest first. */
  @Post("/{name}/compare")
  public CompareView compare(
      String name,
      @Body @RequestBody(content = @Content(schema = @Schema(implementation = JsonRecord.class)))
          byte[] body,
      @QueryValue(defaultValue = "5") int last,
      @Nullable @QueryValue String schema) {
    List<JsonRecords.Given> records = JsonRecords.read(body);
    JsonRecords.checkNumber(records.size(), 1);
    TimeLimit limit = scorer.limit();
    List<CompareView.Compared> scores = new ArrayList<>();
    for (Long version : versions.newest(name, Limit.of("last", last, MOST_COMPARED))) {
      Asked newest = versions.find(name, version, null);
      for (Double gamma : newest.active().version().gammas()) {
        limit.check();
        Asked asked = versions.find(name, version, gamma);
        scores.add(
            CompareView.Compared.of(
                asked, scorer.score(asked, records, scorer.schemas(asked, schema)).getFirst()));
      }
    }
    return new CompareView(name, scores);
  }
}
