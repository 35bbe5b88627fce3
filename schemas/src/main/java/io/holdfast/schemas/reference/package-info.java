/**
 * The distributions that later rows are compared with, as values. Sketches come in from the
 * trainer, which makes and merges them, and from the model topic's records; they go out to the
 * trainer's search for drift. It may not know how sketches are made, versions or Kafka.
 */
@NullMarked
package io.holdfast.schemas.reference;

import org.jspecify.annotations.NullMarked;
