/**
 * A Kafka Streams topology as a user would write it: records come in, and go out with a score. It
 * may know of Holdfast nothing but the scorer.
 */
@NullMarked
package io.holdfast.examples.streams;

import org.jspecify.annotations.NullMarked;
