package io.holdfast.service.rest;

import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.feature.SchemaFit;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.BySchema;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.ScoreWatch;
import io.holdfast.service.model.ServedModel;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.runtime.RecordSchemas;
import io.holdfast.service.score.RecordScorer;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Scores JSON records while the caller waits. Nothing is written to a topic. Thread-safe. */
@Controller("/api/v1/models")
@ExecuteOn(TaskExecutors.BLOCKING)
public final class ScoreController {
  private final ServedModels models;
  private final RecordSchemas schemas;
  private final BySchema<JsonRecords> records = new BySchema<>(JsonRecords::new);
  private final ConcurrentMap<String, Fitting> fitting = new ConcurrentHashMap<>();

  /** The schemas among those known whose records a version can score, the best first. */
  private record Fitting(ActiveModel model, List<Schema> known, List<Schema> schemas) {
    /** Whether it is of these; schemas are equal that differ in aliases, and these count. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(ActiveModel active, List<Schema> now) {
      return model == active
          && known.size() == now.size()
          && IntStream.range(0, now.size()).allMatch(i -> known.get(i) == now.get(i));
    }
  }

  ScoreController(ServedModels models, RecordSchemas schemas) {
    this.models = models;
    this.schemas = schemas;
  }

  /**
   * Scores a JSON object, or an array of such, by the version that serves now.
   *
   * @param schema the fingerprint of the record schema to read by; without it, the newest that the
   *     record has the fields of, of those of the model's record topic that fit the version
   */
  @Post("/{name}/score")
  public ScoreView score(String name, @Body byte[] body, @Nullable @QueryValue String schema) {
    ServedModel model = Lookup.model(models, name);
    ServedModel.Serving serving = model.serving();
    if (serving == null) {
      throw new ProblemException(
          ProblemKind.NOT_READY,
          "model " + name + " has no verified version yet: ask again once the service is ready");
    }
    ActiveModel active = serving.model();
    List<Schema> written =
        schema == null ? fitting(model.settings(), active) : List.of(schema(schema));
    try {
      RecordScorer scorer = new RecordScorer();
      List<ScoreView.Prediction> predictions = new ArrayList<>();
      for (JsonRecords.Given given : JsonRecords.read(body)) {
        predictions.add(score(scorer, active, model.scores(), given, written));
      }
      return new ScoreView(name, active.number(), active.version().hash().hex(), predictions);
    } catch (MalformedRecordException e) {
      throw new ProblemException(ProblemKind.BAD_RECORD, "" + e.getMessage());
    }
  }

  /** By the first of the schemas that the record can be written with. */
  private ScoreView.Prediction score(
      RecordScorer scorer,
      ActiveModel active,
      ScoreWatch watch,
      JsonRecords.Given given,
      List<Schema> written)
      throws MalformedRecordException {
    ProblemException refusal = null;
    for (Schema schema : written) {
      JsonRecords json = records.get(schema);
      JsonRecords.Body body;
      try {
        body = json.body(given);
      } catch (ProblemException e) {
        refusal = refusal == null ? e : refusal;
        continue;
      }
      double[] raw = scorer.score(active, json.schema(), body.bytes(), 0);
      watch.scored(active.objective(), raw);
      double[] probabilities = new double[active.objective().classes()];
      active.objective().probabilities(raw, probabilities);
      double prediction = active.objective().prediction(raw);
      return new ScoreView.Prediction(
          prediction,
          active.classes().label(active.objective(), prediction),
          list(probabilities),
          raw.length == 1 ? raw[0] : null,
          list(raw),
          active.decoder(json.schema()).absent().stream().map(ColumnName::of).toList(),
          scorer.unseen(active),
          active.numericAmong(body.rounded(), json.schema()));
    }
    throw refusal == null
        ? new ProblemException(ProblemKind.BAD_RECORD, "there is no schema to read it by")
        : refusal;
  }

  private List<Schema> fitting(ModelSettings settings, ActiveModel active) {
    String topic = settings.topics().records();
    List<Schema> known = schemas.all(topic);
    Fitting last = fitting.get(settings.name());
    if (last == null || !last.isOf(active, known)) {
      last =
          new Fitting(active, known, SchemaFit.fitting(known, active.version().model().features()));
      fitting.put(settings.name(), last);
    }
    if (last.schemas().isEmpty()) {
      throw new ProblemException(
          ProblemKind.NOT_READY,
          known.isEmpty()
              ? Sentence.of(
                  "no schema is known for records of topic %s: register one on the schema topic,"
                      + " or name a file in the model's schemas",
                  topic)
              : Sentence.of(
                  "no schema that is known for records of topic %s fits version %d of model %s:"
                      + " register one that does on the schema topic",
                  topic, active.number(), settings.name()));
    }
    return last.schemas();
  }

  private Schema schema(String fingerprint) {
    try {
      return schemas.find(Fingerprint.parse(fingerprint)).orElseThrow();
    } catch (IllegalArgumentException | NoSuchElementException e) {
      throw new ProblemException(
          ProblemKind.BAD_REQUEST,
          "schema must be the fingerprint of a known schema, 16 hexadecimal digits: "
              + fingerprint);
    }
  }

  private static List<Double> list(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }
}
