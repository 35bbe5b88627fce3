/**
 * Takes the checked settings. Starts the schema topic's follower, the model loader and, for each
 * model as soon as it has what it needs, its topologies, each with a life of its own; says at any
 * time whether they live and are ready, and ends them. Knows nothing of HTTP.
 */
@NullMarked
package io.holdfast.service.runtime;

import org.jspecify.annotations.NullMarked;
