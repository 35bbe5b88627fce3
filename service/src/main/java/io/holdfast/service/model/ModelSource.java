package io.holdfast.service.model;

import org.jspecify.annotations.Nullable;

/** Where scoring gets its model from, record by record. Thread-safe. */
@FunctionalInterface
public interface ModelSource {

  /** What serves now; null until a version has been verified. */
  @Nullable ActiveModel active(String model);

  /** What scores beside it without being served; null if nothing does. */
  default @Nullable ActiveModel shadow(String model) {
    return null;
  }
}
