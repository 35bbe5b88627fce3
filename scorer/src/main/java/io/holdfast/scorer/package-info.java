/**
 * For other programs: a model file comes in, and the scores of their rows and records go out, with
 * the bits that the service and the command give. It may not know Kafka, servers or how a model is
 * trained.
 */
@NullMarked
package io.holdfast.scorer;

import org.jspecify.annotations.NullMarked;
