package io.holdfast.auditor;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is judged, and where it is.
 *
 * @param kafka what every client is given, {@code bootstrap.servers} among it
 * @param model the model's name
 * @param scorerGroup the consumer group that scores: what it has committed has an outcome
 * @param retained how many of the newest versions the model topic keeps
 * @param label where labels are
 * @param missing the words that the model takes for no value
 * @param schemas schemas of records and labels that no topic holds, as JSON
 * @param span the records to judge, by their time
 * @param proven what an earlier audit has proven
 */
public record AuditPlan(
    Map<String, String> kafka,
    String model,
    Topics topics,
    String scorerGroup,
    int retained,
    Labels label,
    Set<String> missing,
    List<String> schemas,
    Span span,
    Proven proven) {
  public AuditPlan {
    kafka = Map.copyOf(kafka);
    missing = Set.copyOf(missing);
    schemas = List.copyOf(schemas);
  }

  /** The names of the topics, and how what is a user's is written. */
  public record Topics(
      String records,
      String scores,
      String labels,
      String examples,
      String deadLetters,
      String models,
      String schemas,
      Written asRecords,
      Written asLabels) {}

  /** The same, after an audit that has proven so much. */
  public AuditPlan after(Proven audited) {
    return new AuditPlan(
        kafka, model, topics, scorerGroup, retained, label, missing, schemas, span, audited);
  }

  /** How a value says by which schema it was written. */
  public enum Form {
    /** By what stands before it or in a header; JSON if a schema is given and it looks like it. */
    FRAMED,
    /** Not at all: Avro of the one schema. */
    PLAIN,
    /** Not at all: JSON by the one schema. */
    JSON
  }

  /**
   * How the values of a topic are written.
   *
   * @param schema the schema of what names none, as JSON; null if there is none
   */
  public record Written(Form form, @Nullable String schema) {}

  /**
   * How labels come.
   *
   * @param inRecord whether each record holds its own
   * @param field the field that holds it, by path
   * @param recordId where a record holds what its label names it by: {@code key}, {@code header
   *     NAME} or {@code field PATH}
   * @param labelId where a label does
   * @param patience how many milliseconds later than its record a label may be
   */
  public record Labels(
      boolean inRecord, String field, String recordId, String labelId, long patience) {}

  /** Milliseconds since 1970; the end is exclusive. Null: no bound. */
  public record Span(@Nullable Long from, @Nullable Long to) {
    boolean has(long time) {
      return (from == null || time >= from) && (to == null || time < to);
    }
  }
}
