package io.holdfast.service.runtime;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.feature.SchemaFit;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.ServedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a model's version and schemas while its topologies run, or wait. Called by one
 * thread at a time.
 */
final class VersionSigns {
  private final StreamsPlan.Parts parts;
  private final ModelSettings model;
  private Held held = new Held(List.of(), null, Optional.empty());

  /** What was held against what, and what came of it. */
  private record Held(
      List<Schema> schemas, @Nullable ActiveModel model, Optional<String> problem) {}

  VersionSigns(StreamsPlan.Parts parts, ModelSettings model) {
    this.parts = parts;
    this.model = model;
  }

  List<Obstacle> now() {
    List<Obstacle> signs = new ArrayList<>();
    ServedModel served = parts.models().find(model.name()).orElseThrow();
    ServedModel.Serving serving = served.serving();
    String refusal = served.refusal();
    if (refusal != null && serving != null) {
      signs.add(new Obstacle(TroubleKind.VERSION, refusal));
    }
    List<Schema> schemas = parts.schemas().all(model.topics().records());
    ActiveModel active = serving == null ? null : serving.model();
    if (!schemas.equals(held.schemas()) || active != held.model()) {
      List<Feature> features = active == null ? List.of() : active.version().model().features();
      held =
          new Held(
              schemas,
              active,
              SchemaFit.problem(
                  model, schemas, active == null ? null : (Long) active.number(), features));
    }
    held.problem().ifPresent(problem -> signs.add(new Obstacle(TroubleKind.SCHEMA, problem)));
    return signs;
  }
}
