/**
 * What a model is: trees, segments and a base.
 *
 * <p>Trees come in from the booster or from a stored version, and go out to scorers and whoever
 * explains. It may not know how trees are grown or laid out to score, or rows' labels.
 */
@NullMarked
package io.holdfast.boosting.model;

import org.jspecify.annotations.NullMarked;
