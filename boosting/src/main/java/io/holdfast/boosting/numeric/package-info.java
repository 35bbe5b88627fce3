/**
 * Numerical kernels: the normal distribution's tail, dense factorisations, on plain arrays.
 *
 * <p>Numbers come in from the losses, the anchors and the leaf solve, and numbers go back to them.
 * It may not know rows, trees or losses.
 *
 * <p>Elementary functions are taken from {@link StrictMath}: the same input gives the same bits on
 * every machine, so a model trained again elsewhere is the same model.
 */
@NullMarked
package io.holdfast.boosting.numeric;

import org.jspecify.annotations.NullMarked;
