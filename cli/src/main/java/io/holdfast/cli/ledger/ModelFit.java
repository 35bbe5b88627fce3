package io.holdfast.cli.ledger;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.feature.LabelFit;
import io.holdfast.schemas.feature.SchemaFit;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.ledger.SettingsFit;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Absent;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/** Whether settings, schemas and the versions that serve fit each other. Stateless. */
public final class ModelFit {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private ModelFit() {}

  /** What does not fit, a sentence each. */
  public static List<String> problems(Settings settings, SchemaTopic schemas) {
    schemas.awaitCaughtUp(LIMIT);
    Ledger ledger = ModelTopic.read(settings).ledger();
    List<String> problems = new ArrayList<>();
    for (ModelSettings model : settings.models().values()) {
      List<Schema> records = schemas.all(model.topics().records());
      Optional<LedgerVersion> serving = ledger.serving(model.name());
      Long version = serving.map(LedgerVersion::number).orElse(null);
      List<Feature> features = serving.map(found -> found.model().features()).orElse(List.of());
      Optional<String> unfit = SchemaFit.problem(model, records, version, features);
      Stream.of(
              unfit,
              serving.flatMap(found -> SettingsFit.problem(model, found)),
              SchemaFit.leftOut(model, records),
              LabelFit.problem(model, records, schemas.all(model.topics().labels())))
          .flatMap(Optional::stream)
          .forEach(problem -> problems.add("model " + model.name() + ": " + problem));
      if (unfit.isEmpty() && serving.isPresent() && !records.isEmpty()) {
        absent(model, records.getFirst(), serving.get()).ifPresent(problems::add);
      }
    }
    return problems;
  }

  private static Optional<String> absent(
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
