/**
 * Labelled rows come in with their places in the example log, from whoever reads it. Windows of
 * them, in one order that depends on the log alone, go out to {@code learn}. Nothing here knows
 * Kafka clients, a clock, features or models.
 */
@NullMarked
package io.holdfast.trainer.window;

import org.jspecify.annotations.NullMarked;
