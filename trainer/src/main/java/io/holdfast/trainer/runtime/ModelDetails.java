package io.holdfast.trainer.runtime;

import io.holdfast.schemas.lag.Lag;
import java.util.LinkedHashMap;
import java.util.Map;

/** What health answers say of the group and of each model. Stateless. */
final class ModelDetails {
  private ModelDetails() {}

  static Map<String, String> of(ModelLoops loops) {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("group " + loops.group(), loops.describeMembership()); // no model's name has spaces
    for (ModelStatus status : loops.statuses()) {
      Lag lag = loops.lag(status.model());
      details.put(
          status.model(),
          status.describe()
              + (lag == null || lag.rows() == 0 ? "" : "; examples to come: " + lag.rows()));
    }
    return details;
  }
}
