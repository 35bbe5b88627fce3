/**
 * Leaf values of a grown tree, by one second-order step over all leaves at once.
 *
 * <p>The leaf of each row comes in from the tree grower, gradients and curvatures from the anchor
 * objective; leaf values go out to the booster. It may not know bins, features or how trees grow.
 */
@NullMarked
package io.holdfast.boosting.leaf;

import org.jspecify.annotations.NullMarked;
