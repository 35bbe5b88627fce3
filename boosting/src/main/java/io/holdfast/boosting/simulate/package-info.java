/**
 * Streams of rows whose law is known: those that the field compares learners on, and structural
 * equations with hidden confounders. A seed comes in from tests, the demo and the benchmarks; rows
 * go out, one at a time. It may not know models, trees or how anything is learned.
 */
@NullMarked
package io.holdfast.boosting.simulate;

import org.jspecify.annotations.NullMarked;
