/**
 * The best split of a leaf: its histograms come in, a threshold or a set of categories with its
 * gain goes out.
 *
 * <p>Finds the same whatever the number of threads, with vectors or without. Knows the histograms,
 * but not how trees grow or which rows a leaf has beyond their numbers.
 */
@NullMarked
package io.holdfast.boosting.split;

import org.jspecify.annotations.NullMarked;
