/**
 * The rows of a window and of the replay buffer come in from {@code learn}, decoded, with what was
 * served for them. What the shift between them comes to goes out to the update policies, which may
 * shorten memory or begin anew. Nothing here keeps state: what is to be remembered goes into the
 * version's metrics, and comes back with the tip's manifest.
 */
@NullMarked
package io.holdfast.trainer.drift;

import org.jspecify.annotations.NullMarked;
