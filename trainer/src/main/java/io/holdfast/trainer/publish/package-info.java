/**
 * Events come in from {@code learn}, with the dead letters of their window. One Kafka transaction
 * each goes out: segments, manifest, head, report, dead letters and consumed offsets, all or
 * nothing. Nothing here decides what is published, or reads a topic.
 */
@NullMarked
package io.holdfast.trainer.publish;

import org.jspecify.annotations.NullMarked;
