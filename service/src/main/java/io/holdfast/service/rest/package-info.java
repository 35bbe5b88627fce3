/**
 * Takes HTTP requests. Gives what serves and what is known of its versions and windows; writes the
 * heads that people ask for. Knows nothing of topologies or of how models arrive.
 */
@NullMarked
package io.holdfast.service.rest;

import org.jspecify.annotations.NullMarked;
