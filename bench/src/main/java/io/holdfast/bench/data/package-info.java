/**
 * Real rows to measure on: the public data sets in a folder beside the repository, read as the
 * tasks that docs/benchmarks.md describes, and parted into rows to train and to test on. In come
 * CSV files; out go features and rows to the commands. It may not know what is measured, and keeps
 * nothing of the data.
 */
@NullMarked
package io.holdfast.bench.data;

import org.jspecify.annotations.NullMarked;
