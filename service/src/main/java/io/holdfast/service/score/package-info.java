/**
 * Takes records as bytes and the version that serves. Gives a score for each, or a dead letter, and
 * an example where the record carries its label; the topology that does so is built here and
 * started elsewhere. Knows nothing of how versions arrive, of state stores or of HTTP.
 */
@NullMarked
package io.holdfast.service.score;

import org.jspecify.annotations.NullMarked;
