/**
 * Takes JSON records by HTTP. Gives their scores, why they are so, what changes would do to them
 * and what other versions say. Knows nothing of topics.
 */
@NullMarked
package io.holdfast.service.prediction;

import org.jspecify.annotations.NullMarked;
