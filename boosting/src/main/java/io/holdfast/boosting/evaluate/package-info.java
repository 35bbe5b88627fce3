/**
 * How good raw scores are: mean loss and metrics, in all and by environment.
 *
 * <p>Rows and their raw scores come in from the trainer and the command line; figures go out to
 * reports. It may not know models, trees or how the scores came about.
 */
@NullMarked
package io.holdfast.boosting.evaluate;

import org.jspecify.annotations.NullMarked;
