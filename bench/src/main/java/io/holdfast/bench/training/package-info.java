/**
 * Windows trained by Holdfast and by its peers, in turn, on the same rows. What it makes is tables
 * for docs/benchmarks.md. It knows of no Kafka.
 */
@NullMarked
package io.holdfast.bench.training;

import org.jspecify.annotations.NullMarked;
