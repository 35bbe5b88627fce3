/**
 * Grows the structure of one tree, leaf by leaf, on histograms of gradients.
 *
 * <p>Binned columns come in from data, gradients and hessians from the anchor objective; tree
 * structures and the leaf of each row go out to the leaf solve and the booster. It may not know
 * losses, labels or leaf values, and of an anchor only which rows it puts together.
 */
@NullMarked
package io.holdfast.boosting.tree;

import org.jspecify.annotations.NullMarked;
