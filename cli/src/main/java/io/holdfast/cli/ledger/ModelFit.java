package io.holdfast.cli.ledger;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.feature.LabelFit;
import io.holdfast.schemas.feature.SchemaFit;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.ledger.SettingsFit;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.version.LedgerVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        AbsentFeatures.problem(model, records.getFirst(), serving.get()).ifPresent(problems::add);
      }
    }
    return problems;
  }
}
