/**
 * One version of a model as records and back: keys, digests, limits and a codec for each part.
 * Engine models come in and records go out; records come in and verified versions go out to the
 * ledger. It may not know the other versions of a model, nor which of them serves.
 */
@NullMarked
package io.holdfast.schemas.version;

import org.jspecify.annotations.NullMarked;
