/**
 * Takes the checked settings and looks, now and then, at what the broker has beside the streams:
 * topics first of all. Gives what it last saw to who runs the topologies. Knows nothing of scoring,
 * joining or HTTP.
 */
@NullMarked
package io.holdfast.service.watch;

import org.jspecify.annotations.NullMarked;
