package io.holdfast.service.rest;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.ServedModel;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.runtime.RecordSchemas;
import io.holdfast.service.score.RecordScorer;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Scores JSON records while the caller waits. Nothing is written to a topic. Thread-safe. */
@Controller("/api/models")
@ExecuteOn(TaskExecutors.BLOCKING)
public final class ScoreController {
  private final ServedModels models;
  private final RecordSchemas schemas;
  private final ConcurrentMap<Schema, JsonRecords> records = new ConcurrentHashMap<>();

  ScoreController(ServedModels models, RecordSchemas schemas) {
    this.models = models;
    this.schemas = schemas;
  }

  /**
   * Scores a JSON object, or an array of such, by the version that serves now.
   *
   * @param schema the fingerprint of the record schema whose field names and types count; without
   *     it the newest of the model's record topic
   */
  @Post("/{name}/score")
  public ScoreView score(String name, @Body byte[] body, @Nullable @QueryValue String schema) {
    ServedModel model = Lookup.model(models, name);
    ServedModel.Serving serving = model.serving();
    if (serving == null) {
      throw new HttpStatusException(
          HttpStatus.SERVICE_UNAVAILABLE,
          "model " + name + " has no verified version yet: ask again once the service is ready");
    }
    Schema written = schema(model.settings(), schema);
    JsonRecords json = records.computeIfAbsent(written, JsonRecords::new);
    ActiveModel active = serving.model();
    try {
      RecordScorer scorer = new RecordScorer();
      List<ScoreView.Prediction> predictions = new ArrayList<>();
      for (byte[] bytes : json.encode(body)) {
        double[] raw = scorer.score(active, json.schema(), bytes, 0);
        predictions.add(prediction(active.objective(), raw));
      }
      return new ScoreView(name, active.number(), active.version().hash().hex(), predictions);
    } catch (BadRequestException | MalformedRecordException e) {
      throw new HttpStatusException(HttpStatus.BAD_REQUEST, e.getMessage());
    }
  }

  private Schema schema(ModelSettings settings, @Nullable String fingerprint) {
    if (fingerprint == null) {
      String topic = settings.topics().records();
      return schemas
          .latest(topic)
          .orElseThrow(
              () ->
                  new HttpStatusException(
                      HttpStatus.SERVICE_UNAVAILABLE,
                      "no schema is known for records of topic "
                          + topic
                          + ": register one on the schema topic, or name a file in the model's schemas"));
    }
    return parse(fingerprint)
        .flatMap(schemas::find)
        .orElseThrow(
            () ->
                new HttpStatusException(
                    HttpStatus.BAD_REQUEST,
                    "schema must be the fingerprint of a known schema, 16 hexadecimal digits: "
                        + fingerprint));
  }

  private static Optional<Long> parse(String fingerprint) {
    try {
      return Optional.of(Fingerprint.parse(fingerprint));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static ScoreView.Prediction prediction(Objective objective, double[] raw) {
    double[] probabilities = new double[objective.classes()];
    objective.probabilities(raw, probabilities);
    return new ScoreView.Prediction(
        objective.prediction(raw), list(probabilities), raw.length == 1 ? raw[0] : null, list(raw));
  }

  private static List<Double> list(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }
}
