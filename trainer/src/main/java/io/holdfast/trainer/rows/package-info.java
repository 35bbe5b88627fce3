/**
 * Labelled rows come in from {@code window} and go out decoded: features, label, weight and
 * environment, parted into what is trained on and what is held out. Nothing here knows the log or
 * how rows are learned from.
 */
@NullMarked
package io.holdfast.trainer.rows;

import org.jspecify.annotations.NullMarked;
