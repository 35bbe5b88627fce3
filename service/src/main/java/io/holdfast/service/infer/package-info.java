/**
 * Takes requests of the Open Inference Protocol 2, whose inputs are columns of records. Gives the
 * scores of those records as the project's own API does, and what the protocol asks of models and
 * the server.
 */
@NullMarked
package io.holdfast.service.infer;

import org.jspecify.annotations.NullMarked;
