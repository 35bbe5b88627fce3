package io.holdfast.cli.ledger;

import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Absent;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/** Whether the newest schema of a model's records has what the version that serves reads. */
public final class AbsentFeatures {
  private AbsentFeatures() {}

  /** What is wrong, in a sentence; empty if nothing is. */
  public static Optional<String> problem(
      ModelSettings model, Schema newest, LedgerVersion serving) {
    try {
      List<String> absent = serving.decoder(newest).absent();
      if (absent.isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(
          Sentence.of(
              "model %s: version %d reads %s, which the newest schema %s of topic %s lacks, so that"
                  + " such records are %s: give the fields these names again, or as aliases",
              model.name(),
              serving.number(),
              absent.stream().map(ColumnName::of).collect(Collectors.joining(", ")),
              newest.getFullName(),
              model.topics().records(),
              model.features().absent() == Absent.REFUSE
                  ? "dead letters"
                  : "scored as if they had no value there"));
    } catch (MalformedRecordException e) {
      return Optional.of(
          Sentence.of(
              "model %s: version %d cannot score records of the newest schema %s of topic %s: %s",
              model.name(),
              serving.number(),
              newest.getFullName(),
              model.topics().records(),
              e.getMessage()));
    }
  }
}
