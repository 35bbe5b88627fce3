/**
 * Simulated streams of rows: here the structural equations with hidden confounders that {@code
 * holdfast shift} shows; among the tests, those that the field compares learners on. A seed comes
 * in; rows go out, one at a time. It may not know models, trees or how anything is learned.
 */
@NullMarked
package io.holdfast.boosting.simulate;

import org.jspecify.annotations.NullMarked;
