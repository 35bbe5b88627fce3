/**
 * The linear base: a penalised linear function of the features, fitted before the trees.
 *
 * <p>Rows, features, an objective and an anchor come in from the booster; a {@link
 * io.holdfast.boosting.model.Base} goes back to it, for the model. It may not know trees, bins or
 * rounds.
 */
@NullMarked
package io.holdfast.boosting.linear;

import org.jspecify.annotations.NullMarked;
