package io.holdfast.service.model;

/** A version that was refused while another served on; rejections are counted by their reason. */
public record Rejection(long version, String reason, String detail, long timestampMillis) {}
