/**
 * Takes records, their scores and their labels, three topics by the same key. Gives an example for
 * each label that meets its record in time, and a dead letter for each that does not; what waits is
 * in a store that is restored after a crash. Knows nothing of trees, versions or HTTP.
 */
@NullMarked
package io.holdfast.service.join;

import org.jspecify.annotations.NullMarked;
