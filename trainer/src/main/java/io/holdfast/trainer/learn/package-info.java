/**
 * Windows of labelled rows come in from {@code window}, with the version that they extend. What was
 * served is evaluated, trees are appended, and the records of the new version and of the window's
 * report go out as one event, for the caller to publish and then apply. Nothing here knows Kafka
 * clients or a clock: time is an argument, and live running, restart and backtest are the same
 * calls.
 */
@NullMarked
package io.holdfast.trainer.learn;

import org.jspecify.annotations.NullMarked;
