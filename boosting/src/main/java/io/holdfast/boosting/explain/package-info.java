/**
 * Why a model scores as it does: what each feature contributes to a row's raw scores, what it is
 * worth to the model, and how scores depend on it.
 *
 * <p>Models and rows come in from whoever asks, such as the command line; contributions, importance
 * and partial dependence go back as records. It may not know how trees are grown, leaf values
 * solved or anchors projected.
 */
@NullMarked
package io.holdfast.boosting.explain;

import org.jspecify.annotations.NullMarked;
