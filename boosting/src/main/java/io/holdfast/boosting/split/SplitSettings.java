package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.AnchorCoupling;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which splits are allowed, and what they cost. Immutable.
 *
 * @param monotone by column: +1 where the leaf values may only rise with the feature, −1 where they
 *     may only fall, else 0; empty for no such column
 * @param outputs values a leaf has
 * @param coupling of leaves by a categorical anchor; null for none
 */
public record SplitSettings(
    TreeLimits limits,
    Penalties penalties,
    List<Integer> monotone,
    int outputs,
    @Nullable AnchorCoupling coupling) {
  int direction(int column) {
    return monotone.isEmpty() ? 0 : monotone.get(column);
  }
}
