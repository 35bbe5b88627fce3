package io.holdfast.cli.ledger;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.DeclaredSchema;
import io.holdfast.schemas.topic.SchemaTopic;
import java.time.Duration;

/** The schemas of a model's records: of its files and of the schema topic. Stateless. */
public final class KnownSchemas {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private KnownSchemas() {}

  /** All that are known now, and those that come while it is open. */
  public static SchemaTopic open(Settings settings, ModelSettings model) {
    var schemas = new SchemaTopic(settings.kafka(), settings.topics().schemas());
    DeclaredSchema.of(model).forEach(schemas::add);
    schemas.awaitCaughtUp(LIMIT);
    return schemas;
  }
}
