/**
 * Takes HTTP requests. Gives what serves, what is known of its versions and windows, and scores of
 * JSON records by the very decoder and scorer of the stream; writes the heads that people ask for.
 * Knows nothing of topologies or of how models arrive.
 */
@NullMarked
package io.holdfast.service.rest;

import org.jspecify.annotations.NullMarked;
