/**
 * Takes a key and looks for it among the newest records and labels of a model. Gives what it found
 * as JSON to whoever asks over HTTP. Knows nothing of scores or of the topologies.
 */
@NullMarked
package io.holdfast.service.lookup;

import org.jspecify.annotations.NullMarked;
