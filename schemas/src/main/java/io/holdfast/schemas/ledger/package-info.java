/**
 * Versions on the model topic: segments, manifests and heads, their hashes and limits. Engine
 * models come in and records go out to whoever publishes; records come in, from the topic or a
 * file, and verified versions go out to scorers and trainers. It may not know Kafka, nor how a
 * version was trained.
 */
@NullMarked
package io.holdfast.schemas.ledger;

import org.jspecify.annotations.NullMarked;
