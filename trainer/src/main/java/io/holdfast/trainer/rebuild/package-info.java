/**
 * A stored version and the example log come in; the version is trained again by {@code learn}, and
 * what differs goes out as sentences. Nothing here publishes.
 */
@NullMarked
package io.holdfast.trainer.rebuild;

import org.jspecify.annotations.NullMarked;
