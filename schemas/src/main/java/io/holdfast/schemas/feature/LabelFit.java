package io.holdfast.schemas.feature;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.Suggestion;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * Whether what a model's settings name of its labels is in any message, where labels have a topic
 * of their own: environment, weight and anchors may come with the record or with the label, so that
 * neither alone tells of a misspelt name. Stateless.
 */
public final class LabelFit {
  private LabelFit() {}

  /**
   * What is wrong, in one sentence; empty if nothing is, or not enough schemas are known to tell.
   *
   * @param records the schemas that are known of the records
   * @param labels those of labels of the user's own; none if they are of the label contract
   */
  public static Optional<String> problem(
      ModelSettings model, List<Schema> records, List<Schema> labels) {
    if (!(model.labels() instanceof Labels.InTopic)) {
      return Optional.empty(); // they are in the records, whose schema is held against all names
    }
    List<String> problems = new ArrayList<>();
    Set<String> ofLabels = paths(labels);
    if (!labels.isEmpty() && !ofLabels.contains(model.label())) {
      problems.add(
          Sentence.of(
              "no schema of the labels in topic %s has the label field %s, so that none can be"
                  + " used%s",
              model.topics().labels(), model.label(), meant(model.label(), ofLabels)));
    }
    if (!records.isEmpty()) {
      Set<String> of = paths(records);
      of.addAll(ofLabels);
      Map<String, String> roles = elsewhere(model, !labels.isEmpty());
      roles.keySet().removeAll(of);
      roles.forEach(
          (path, role) ->
              problems.add(
                  Sentence.of(
                      "neither the records in topic %s nor the labels in topic %s have the %s field"
                          + " %s%s",
                      model.topics().records(),
                      model.topics().labels(),
                      role,
                      path,
                      meant(path, of))));
    }
    return SchemaFit.joined(problems);
  }

  /** That a name was most likely meant as another, as the end of a sentence. */
  public static String meant(String path, List<Schema> schemas) {
    return meant(path, paths(schemas));
  }

  private static String meant(String path, Set<String> present) {
    return Suggestion.closest(path, present)
        .map(name -> "; did you mean " + name + "?")
        .orElse(present.isEmpty() ? "" : "; there are " + String.join(", ", present));
  }

  /** What may come with either, by path. The label contract has environment and weight. */
  private static Map<String, String> elsewhere(ModelSettings model, boolean own) {
    Map<String, String> roles = new LinkedHashMap<>();
    if (own && model.environment() != null) {
      roles.put(model.environment(), "environment");
    }
    if (own && model.weight() != null) {
      roles.put(model.weight(), "weight");
    }
    model.anchors().forEach(anchor -> roles.put(anchor, "anchor"));
    return roles;
  }

  private static Set<String> paths(List<Schema> schemas) {
    Set<String> paths = new LinkedHashSet<>();
    schemas.forEach(schema -> paths.addAll(RecordLayout.fields(schema).keySet()));
    return paths;
  }
}
