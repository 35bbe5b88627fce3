package io.holdfast.service.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.feature.SchemaFit;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.BySchema;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.correlate.CorrelationId;
import io.holdfast.service.correlate.IdText;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.request.AskedVersions.Asked;
import io.holdfast.service.runtime.RecordSchemas;
import io.holdfast.service.score.RecordScorer;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.WeakHashMap;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Scores JSON records while the caller waits, whatever path they came by. Thread-safe. */
@Singleton
public final class JsonScorer {
  /** The property that says how long one answer may take. */
  public static final String TIME = "holdfast.http.answer-millis";

  private final RecordSchemas schemas;
  private final long limitMillis;
  private final BySchema<JsonRecords> records = new BySchema<>(JsonRecords::new);
  private final Map<ActiveModel, Fitting> fitting =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** The schemas among those known whose records a version can score, the best first. */
  private record Fitting(List<Schema> known, List<Schema> schemas) {
    /** Whether it is of these; schemas are equal that differ in aliases, and these count. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(List<Schema> now) {
      return known.size() == now.size()
          && IntStream.range(0, now.size()).allMatch(i -> known.get(i) == now.get(i));
    }
  }

  /**
   * A record that was scored.
   *
   * @param schema that it was read by
   * @param features as the model sees them
   * @param raw the raw scores
   * @param rounded the paths of its whole numbers that no double is
   * @param id what its label would name it by; null if that is none of its fields, or none is there
   * @param environment by which bounds go; null if the record, or the version, says none
   */
  @SuppressWarnings("ArrayRecordComponent") // made for one request; never compared
  public record Scored(
      Schema schema,
      double[] features,
      double[] raw,
      List<String> rounded,
      @Nullable String id,
      @Nullable String environment) {}

  JsonScorer(
      RecordSchemas schemas, @Property(name = TIME, defaultValue = "10000") long limitMillis) {
    this.schemas = schemas;
    this.limitMillis = limitMillis;
  }

  /**
   * The schemas to read records by, the first that fits a record counting.
   *
   * @param fingerprint of the only one; null takes those of the record topic that fit the version
   */
  public List<Schema> schemas(Asked asked, @Nullable String fingerprint) {
    return fingerprint == null
        ? fitting(asked.of().settings(), asked.active())
        : List.of(schema(fingerprint));
  }

  /** The records' scores, in their order. */
  public List<Scored> score(Asked asked, List<JsonRecords.Given> given, List<Schema> written) {
    RecordScorer scorer = new RecordScorer();
    CorrelationId ids = CorrelationId.ofRecords(asked.of().settings());
    TimeLimit limit = limit();
    List<Scored> scored = new ArrayList<>(given.size());
    for (JsonRecords.Given one : given) {
      limit.check();
      scored.add(score(scorer, ids, asked, one, written));
    }
    return scored;
  }

  /** From now on. */
  public TimeLimit limit() {
    return TimeLimit.of(Duration.ofMillis(limitMillis));
  }

  /** By the first of the schemas that the record can be written with. */
  private Scored score(
      RecordScorer scorer,
      CorrelationId ids,
      Asked asked,
      JsonRecords.Given given,
      List<Schema> written) {
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
      ActiveModel active = asked.active();
      try {
        double[] raw = scorer.score(active, json.schema(), body.bytes(), 0).clone();
        if (asked.serves()) {
          asked.of().scores().scored(active.objective(), raw);
        }
        return new Scored(
            json.schema(),
            scorer.features(),
            raw,
            active.numericAmong(body.rounded(), json.schema()),
            id(ids, json.schema(), body.bytes()),
            active.environment(json.schema(), body.bytes(), 0));
      } catch (MalformedRecordException e) {
        throw new ProblemException(ProblemKind.BAD_RECORD, given.where() + e.getMessage());
      }
    }
    throw refusal == null
        ? new ProblemException(ProblemKind.NOT_READY, "there is no schema to read it by")
        : refusal;
  }

  private static @Nullable String id(CorrelationId ids, Schema schema, byte[] body) {
    try {
      byte[] text = IdText.of(ids.within(schema, body));
      return text == null ? null : new String(text, UTF_8);
    } catch (MalformedRecordException e) {
      return null; // of a type that names nothing, as on the stream
    }
  }

  private List<Schema> fitting(ModelSettings settings, ActiveModel active) {
    String topic = settings.topics().records();
    List<Schema> known = schemas.all(topic);
    Fitting last = fitting.get(active);
    if (last == null || !last.isOf(known)) {
      last = new Fitting(known, SchemaFit.fitting(known, active.version().model().features()));
      fitting.put(active, last);
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
}
