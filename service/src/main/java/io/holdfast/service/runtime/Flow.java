package io.holdfast.service.runtime;

import java.util.Locale;

/** The two topologies that a model may have. */
enum Flow {
  /** Records to scores. */
  SCORE("scoring"),
  /** Records, scores and labels to examples. */
  JOIN("joining labels");

  private final String activity;

  Flow(String activity) {
    this.activity = activity;
  }

  /** What it does, for sentences. */
  String activity() {
    return activity;
  }

  /** Its name in application ids and status. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
