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
    Span span) {
  public AuditPlan {
    kafka = Map.copyOf(kafka);
    missing = Set.copyOf(missing);
    schemas = List.copyOf(schemas);
  }

  /** The names of the topics. */
  public record Topics(
      String records,
      String scores,
      String labels,
      String examples,
      String deadLetters,
      String models,
      String schemas) {}

  /**
   * How labels come.
   *
   * @param inRecord whether each record holds its own
   * @param field the field that holds it, by path
   * @param recordId where a record holds what its label names it by: {@code key}, {@code header
   *     NAME} or {@code field PATH}
   * @param labelId where a label does
   */
  public record Labels(boolean inRecord, String field, String recordId, String labelId) {}

  /** Milliseconds since 1970; the end is exclusive. Null: no bound. */
  public record Span(@Nullable Long from, @Nullable Long to) {
    boolean has(long time) {
      return (from == null || time >= from) && (to == null || time < to);
    }
  }
}
