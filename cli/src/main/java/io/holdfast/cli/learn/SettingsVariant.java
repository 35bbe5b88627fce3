package io.holdfast.cli.learn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.print.Json;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.Locale;
import java.util.Map;

/** Models that differ from one in a few keys. Stateless. */
public final class SettingsVariant {
  private SettingsVariant() {}

  /**
   * A model that is trained as another, but for some keys as below {@code holdfast.models.NAME}.
   * Its labels are in the record, and its topics are the default ones.
   *
   * @throws io.holdfast.schemas.settings.SettingsException if a key is unknown or its value not
   *     right
   */
  public static ModelSettings of(ModelSettings settings, Map<String, String> keys) {
    if (keys.isEmpty()) {
      return settings;
    }
    ObjectNode json = (ObjectNode) Json.parse(settings.trainingJson());
    json.put("threads", settings.booster().threads());
    // What changes no version is not in there.
    set(json, "drift.action", settings.drift().action().name().toLowerCase(Locale.ROOT));
    set(json, "drift.falseAlarms", Double.toString(settings.drift().falseAlarms()));
    keys.forEach((key, value) -> set(json, key, value));
    return ModelSettings.ofTrainingJson(settings.name(), json.toString());
  }

  /** Sets the key at a path whose parts are separated by dots. */
  public static void set(ObjectNode tree, String path, String value) {
    int dot = path.indexOf('.');
    if (dot < 0) {
      tree.put(path, value);
      return;
    }
    String first = path.substring(0, dot);
    ObjectNode section =
        tree.get(first) instanceof ObjectNode already ? already : tree.putObject(first);
    set(section, path.substring(dot + 1), value);
  }
}
