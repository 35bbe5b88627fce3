/**
 * AdaBoost: AdaBoost.M1 for two classes, SAMME for more.
 *
 * <pre>{@code
 * var booster = new AdaBooster(AdaBoostSettings.stumps(50));
 * AdaBoostFit fit = booster.fit(2, features, rows); // labels 0 and 1
 * double likely = fit.model().objective().prediction(Scorer.of(fit.model()).score(row));
 * }</pre>
 *
 * <p>Rows and perhaps a model come in from the caller; a longer model, whose leaf values are votes,
 * and the error and vote of each round go back. It may not know anchors or leaf solves.
 */
@NullMarked
package io.holdfast.boosting.ada;

import org.jspecify.annotations.NullMarked;
