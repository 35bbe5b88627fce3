package io.holdfast.trainer.runtime;

import java.util.LinkedHashMap;
import java.util.Map;

/** What health answers say of the group and of each model. Stateless. */
final class ModelDetails {
  private ModelDetails() {}

  static Map<String, String> of(ModelLoops loops) {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("group " + loops.group(), loops.describeMembership()); // no model's name has spaces
    for (ModelStatus status : loops.statuses()) {
      details.put(status.model(), status.describe());
    }
    return details;
  }
}
