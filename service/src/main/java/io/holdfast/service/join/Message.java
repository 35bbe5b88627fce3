package io.holdfast.service.join;

import org.apache.kafka.common.header.Headers;

/**
 * A record or label as it came, but for its key. Immutable by agreement: arrays are not copied.
 *
 * @param offset in its own topic; the partition is the task's
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Message(long offset, long timestampMillis, byte[] value, Headers headers) {}
