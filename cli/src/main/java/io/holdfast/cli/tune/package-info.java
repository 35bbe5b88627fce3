/**
 * {@code holdfast tune}. Rows and the settings of a model come in; settings that lose less on rows
 * not learned from go out, with how sure that is. How a model is fitted and a stream replayed is
 * {@code learn}'s, folds are {@code validate}'s.
 */
@NullMarked
package io.holdfast.cli.tune;

import org.jspecify.annotations.NullMarked;
