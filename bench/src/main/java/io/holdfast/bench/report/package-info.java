/**
 * Figures for people: risks over environments made into a few numbers, and numbers into Markdown
 * tables. In come losses from the commands; out goes text, to be pasted into docs/benchmarks.md. It
 * may not know engine or data.
 */
@NullMarked
package io.holdfast.bench.report;

import org.jspecify.annotations.NullMarked;
