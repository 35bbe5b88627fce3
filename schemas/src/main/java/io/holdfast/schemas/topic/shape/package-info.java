/**
 * How topics are made: replicas, how many of them must be in step, retention. The settings and the
 * number of brokers come in. It may not talk to a broker.
 */
@NullMarked
package io.holdfast.schemas.topic.shape;

import org.jspecify.annotations.NullMarked;
