/**
 * Takes the window reports of the trainer from their topic, on a reading thread of its own. Gives
 * the newest of each model to whoever asks. Knows nothing of models, topologies or HTTP.
 */
@NullMarked
package io.holdfast.service.report;

import org.jspecify.annotations.NullMarked;
