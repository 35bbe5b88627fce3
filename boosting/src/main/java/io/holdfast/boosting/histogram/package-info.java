/**
 * Histograms of a leaf: gradients and the bins of rows come in, sums by bin go out.
 *
 * <p>Gradients are taken to whole units first, so that sums are the same in any order of rows and
 * on any number of threads. One long a cell where that is precise enough, else one long a sum.
 * Knows nothing of splits or trees.
 */
@NullMarked
package io.holdfast.boosting.histogram;

import org.jspecify.annotations.NullMarked;
