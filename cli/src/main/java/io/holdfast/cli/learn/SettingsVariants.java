package io.holdfast.cli.learn;

import io.holdfast.schemas.settings.ModelSettings;
import java.util.Map;

/**
 * Makes models that differ from one in a few keys. Each is read anew from what was given: a default
 * that depends on another key follows that, model by model.
 */
@FunctionalInterface
public interface SettingsVariants {
  /**
   * The model with keys, as below {@code holdfast.models.NAME}, set over those that were given.
   *
   * @throws io.holdfast.schemas.settings.SettingsException if a key is unknown or its value not
   *     right
   */
  ModelSettings with(Map<String, String> keys);
}
