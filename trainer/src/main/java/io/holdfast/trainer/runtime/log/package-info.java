/**
 * Examples come in from a model's topic and go out as labelled rows, live or a stretch of the past;
 * what cannot be read as one goes out as a refusal. Nothing here knows how rows are learned from.
 */
@NullMarked
package io.holdfast.trainer.runtime.log;

import org.jspecify.annotations.NullMarked;
