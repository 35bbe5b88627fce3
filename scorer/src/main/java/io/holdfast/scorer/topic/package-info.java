/**
 * For other programs that have a Kafka client: the records of a model topic come in, the version
 * that serves goes out. It may not know what is scored.
 */
@NullMarked
package io.holdfast.scorer.topic;

import org.jspecify.annotations.NullMarked;
