/**
 * The decoded rows of a window and the versions that served come in; losses, what was expected of
 * them and comparisons of versions go out to {@code learn}. Nothing here trains or keeps a window.
 */
@NullMarked
package io.holdfast.trainer.evaluate;

import org.jspecify.annotations.NullMarked;
