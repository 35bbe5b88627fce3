package io.holdfast.service.model;

/**
 * A version that was refused while another served on.
 *
 * @param version its number
 * @param reason what rejections are counted by
 * @param detail one sentence
 * @param timestampMillis the time of the record that asked for it
 */
public record Rejection(long version, String reason, String detail, long timestampMillis) {}
