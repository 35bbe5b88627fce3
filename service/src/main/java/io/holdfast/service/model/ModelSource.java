package io.holdfast.service.model;

import org.jspecify.annotations.Nullable;

/** Where scoring gets its model from, record by record. Thread-safe. */
@FunctionalInterface
public interface ModelSource {

  /** What serves now; null until a version has been verified. */
  @Nullable ActiveModel active(String model);

  /** Who is told of its scores and labels; null if nobody is. */
  default @Nullable ScoreWatch scores(String model) {
    return null;
  }

  /** What scores beside it without being served; null if nothing does. */
  default @Nullable ActiveModel shadow(String model) {
    return null;
  }
}
