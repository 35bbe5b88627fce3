/**
 * {@code holdfast fit} and {@code refit}. Rows of a file come in, or a model file and rows; a model
 * file goes out, with how well it did on rows that it did not see. How a model is fitted is {@code
 * learn}'s.
 */
@NullMarked
package io.holdfast.cli.fit;

import org.jspecify.annotations.NullMarked;
