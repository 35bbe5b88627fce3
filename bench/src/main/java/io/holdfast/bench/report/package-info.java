/**
 * Figures for people: risks over environments made into a few numbers, numbers into Markdown tables
 * and pictures. In come losses and times from the commands; out goes text, to be pasted into
 * docs/benchmarks.md. It may not know the data.
 */
@NullMarked
package io.holdfast.bench.report;

import org.jspecify.annotations.NullMarked;
