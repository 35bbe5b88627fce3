/**
 * Takes values of topics that others write, and their headers. Gives the writer's schema and the
 * Avro body, whichever way the value names its schema; and values framed in the way that others
 * read. Knows nothing of which fields matter, nor of who asks a registry how.
 */
@NullMarked
package io.holdfast.schemas.framing;

import org.jspecify.annotations.NullMarked;
