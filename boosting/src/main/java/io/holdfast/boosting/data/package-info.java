/**
 * The rows to learn from, their columns, and the bins that trees are grown on.
 *
 * <p>Rows come in from the trainer and the command line; rows go out to losses and anchors, and
 * binned columns to the tree grower. It may not know losses, trees or models.
 */
@NullMarked
package io.holdfast.boosting.data;

import org.jspecify.annotations.NullMarked;
