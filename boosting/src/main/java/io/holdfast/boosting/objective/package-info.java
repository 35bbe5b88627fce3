/**
 * The losses: one file each, with derivatives, link and initial score.
 *
 * <p>Labels and raw scores come in from the booster, the anchors and the evaluation; losses,
 * derivatives and predictions go back to them. It may not know trees, leaves or anchors.
 */
@NullMarked
package io.holdfast.boosting.objective;

import org.jspecify.annotations.NullMarked;
