/**
 * What {@code fit}, LightGBM and XGBoost learn from the same rows when nobody sets anything. What
 * it makes is a table for docs/benchmarks.md. It knows of no Kafka.
 */
@NullMarked
package io.holdfast.bench.defaults;

import org.jspecify.annotations.NullMarked;
