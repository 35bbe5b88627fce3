package io.holdfast.schemas.version;

import io.holdfast.boosting.data.Bins;
import io.holdfast.schemas.reference.KeptReference;
import org.jspecify.annotations.Nullable;

/**
 * What training goes on with beside a version's model: records that its manifest names, and no part
 * of any score. Immutable.
 *
 * @param bins those that new trees are grown on; null if the next window finds its own
 * @param reference what later windows are compared with; null if that is remembered rows
 */
public record Kept(@Nullable Bins bins, @Nullable KeptReference reference) {
  /** Nothing. */
  public static final Kept NONE = new Kept(null, null);
}
