/**
 * Bytes to Avro and back: framings that name the writer schema, plans that walk a body without
 * building objects, codecs of our own contracts and of users' records. Bytes come from Kafka and
 * JSON from HTTP; checked values go to features, ledger and applications. It may not know which
 * fields matter, nor where bytes come from.
 */
@NullMarked
package io.holdfast.schemas.wire;

import org.jspecify.annotations.NullMarked;
