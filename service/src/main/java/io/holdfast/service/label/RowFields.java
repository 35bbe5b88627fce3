package io.holdfast.service.label;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a message says of its row beside the features; null where it says nothing.
 *
 * @param environment numbers are in their shortest decimal form
 * @param anchors in the order of the settings; empty if the message can say none
 */
public record RowFields(
    @Nullable Double label,
    @Nullable String environment,
    @Nullable Double weight,
    List<@Nullable Double> anchors) {

  /** This, and what {@code other} says where this says nothing; the label is this one's alone. */
  public RowFields orElse(RowFields other) {
    List<@Nullable Double> both = new ArrayList<>();
    for (int i = 0; i < Math.max(anchors.size(), other.anchors.size()); i++) {
      Double first = i < anchors.size() ? anchors.get(i) : null;
      Double second = i < other.anchors.size() ? other.anchors.get(i) : null;
      both.add(first != null ? first : second);
    }
    return new RowFields(
        label,
        environment != null ? environment : other.environment,
        weight != null ? weight : other.weight,
        both);
  }
}
