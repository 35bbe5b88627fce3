/**
 * Takes the checked settings. Starts, in order, the schema topic's follower, the model loader and,
 * once every model has a verified version, the topologies; says at any time whether they live and
 * are ready, and ends them. Knows nothing of HTTP.
 */
@NullMarked
package io.holdfast.service.runtime;

import org.jspecify.annotations.NullMarked;
