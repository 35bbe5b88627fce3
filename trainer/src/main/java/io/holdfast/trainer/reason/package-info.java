/**
 * Why the loss of a window is higher than that of the rows before: decoded rows and the losses of
 * what was served for them come in from {@code learn}; parts, a subgroup and a sentence go out to
 * reports. Nothing here trains a version, keeps state or knows Kafka.
 */
@NullMarked
package io.holdfast.trainer.reason;

import org.jspecify.annotations.NullMarked;
