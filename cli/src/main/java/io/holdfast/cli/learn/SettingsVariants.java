package io.holdfast.cli.learn;

import io.holdfast.schemas.settings.ModelSettings;
import java.util.Map;

/** Makes models that differ from one in a few keys; defaults that depend on other keys follow. */
@FunctionalInterface
public interface SettingsVariants {
  /** The model with keys, as below {@code holdfast.models.NAME}, set over those that were given. */
  ModelSettings with(Map<String, String> keys);
}
