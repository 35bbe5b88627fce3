/**
 * Takes the records of the model topic in order, from its own reading thread. Gives each model's
 * verified serving version, ready to score, to the topologies and the REST interface through one
 * atomic reference. Knows nothing of topologies or HTTP.
 */
@NullMarked
package io.holdfast.service.model;

import org.jspecify.annotations.NullMarked;
