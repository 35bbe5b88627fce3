/**
 * Ways to be robust to environments beside the anchor that a model is trained with: leaf values of
 * its trees for other strengths, weights that follow the worst environment, leaf values for the
 * worst environment. Settings, models and rows come in from the trainer, the command line and the
 * benchmarks; models go back. It trains with {@link io.holdfast.boosting.Booster} and {@code
 * io.holdfast.boosting.leaf} alone, and may not know how trees are grown.
 */
@NullMarked
package io.holdfast.boosting.robust;

import org.jspecify.annotations.NullMarked;
