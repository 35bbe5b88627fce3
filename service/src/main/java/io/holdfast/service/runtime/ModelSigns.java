package io.holdfast.service.runtime;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.feature.SchemaFit;
import io.holdfast.schemas.ledger.SettingsFit;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.HeadWriter;
import io.holdfast.schemas.topic.TopicInspector.Topic;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.ServedModel;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a model's version, settings, schemas and labels while its topologies run, or
 * wait. Called by one thread at a time.
 */
final class ModelSigns {
  private final StreamsPlan.Parts parts;
  private final ModelSettings model;
  private final LabelSigns labels;
  private @Nullable Uuid topic; // of the models, as it was seen first
  private ServedModel.@Nullable Serving orphan; // of a topic that is gone
  private Held held = new Held(List.of(), null, List.of());

  /** What was held against what, and what came of it. */
  private record Held(List<Schema> schemas, @Nullable ActiveModel model, List<Obstacle> problems) {
    /** Whether it is of these; schemas are equal that differ in aliases, and these count. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(List<Schema> now, @Nullable ActiveModel active) {
      return schemas == now && model == active;
    }
  }

  ModelSigns(StreamsPlan.Parts parts, ModelSettings model) {
    this.parts = parts;
    this.model = model;
    this.labels = new LabelSigns(parts, model);
  }

  List<Obstacle> now() {
    List<Obstacle> signs = new ArrayList<>();
    ServedModel served = parts.models().find(model.name()).orElseThrow();
    ServedModel.Serving serving = served.serving();
    String refusal = served.refusal();
    if (refusal != null && serving != null) {
      signs.add(new Obstacle(TroubleKind.VERSION, refusal));
    }
    Obstacle gone = serving == null ? null : topicGone(serving);
    if (gone != null) {
      signs.add(gone);
    }
    List<Schema> schemas = parts.schemas().all(model.topics().records());
    ActiveModel active = serving == null ? null : serving.model();
    if (!held.isOf(schemas, active)) {
      held = new Held(schemas, active, problems(schemas, active));
    }
    signs.addAll(held.problems());
    labels
        .now()
        .ifPresent(problem -> signs.add(new Obstacle(TroubleKind.LABELS_UNUSABLE, problem)));
    return signs;
  }

  /** That what serves came from a topic that is no more, until that of now says what serves. */
  @SuppressWarnings("ReferenceEquality") // served again, it would be another
  private @Nullable Obstacle topicGone(ServedModel.Serving serving) {
    String name = parts.settings().topics().models();
    Topic found = parts.topics().found(List.of(name)).get(name);
    Uuid now = found == null ? null : found.id();
    if (topic == null || (now != null && !now.equals(topic))) {
      orphan = topic == null ? null : serving;
      topic = now;
    }
    if (topic == null || (now != null && orphan != serving)) {
      return null;
    }
    return new Obstacle(
        TroubleKind.TOPIC,
        Sentence.of(
            "topic %s was deleted, with all versions: version %d serves on until the service stops;"
                + " delete the committed offsets of group %s, and the trainer begins anew",
            name, serving.model().number(), HeadWriter.transactionalId(model.name())));
  }

  private List<Obstacle> problems(List<Schema> schemas, @Nullable ActiveModel active) {
    List<Feature> features = active == null ? List.of() : active.version().model().features();
    Long version = active == null ? null : (Long) active.number();
    List<Obstacle> found = new ArrayList<>();
    SchemaFit.problem(model, schemas, version, features)
        .ifPresent(problem -> found.add(new Obstacle(TroubleKind.SCHEMA, problem)));
    if (active != null) {
      SettingsFit.problem(model, active.version())
          .ifPresent(problem -> found.add(new Obstacle(TroubleKind.SETTINGS_DIFFER, problem)));
    }
    SchemaFit.leftOut(model, schemas)
        .ifPresent(fields -> found.add(new Obstacle(TroubleKind.FIELDS_LEFT_OUT, fields)));
    return found;
  }
}
