/**
 * Learners side by side on streams, each tested on every row before it learns from it. In come the
 * public streams and the generators of {@code io.holdfast.boosting.simulate}; out go one line a
 * measured cell, kept in a file, and tables of them. Nothing here may favour one side: all learners
 * see the same rows, in the same order, with labels equally late.
 */
@NullMarked
package io.holdfast.bench.streams;

import org.jspecify.annotations.NullMarked;
