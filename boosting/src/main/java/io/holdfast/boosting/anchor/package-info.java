/**
 * The anchor objective: projections onto anchors, and the gradients that they bend.
 *
 * <p>Losses, labels and current raw scores come in; anchored gradients and curvatures go out to the
 * tree grower and the leaf solve. It may not know trees, bins or models.
 */
@NullMarked
package io.holdfast.boosting.anchor;

import org.jspecify.annotations.NullMarked;
