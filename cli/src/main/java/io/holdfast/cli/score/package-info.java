/**
 * {@code holdfast score} and {@code explain}. A model file and rows come in; scores, contributions
 * and importances go out. How rows are scored is {@code learn}'s.
 */
@NullMarked
package io.holdfast.cli.score;

import org.jspecify.annotations.NullMarked;
