package io.holdfast.cli.learn;

/**
 * A row of a stream that is replayed.
 *
 * @param number from 0
 * @param clock when it comes: its number, or its time in milliseconds, never before the row before
 * @param body the record's Avro body; not copied and never changed
 * @param said its label, weight, environment and anchors
 */
@SuppressWarnings("ArrayRecordComponent") // rows are many, and what they hold is never changed
record StreamRow(long number, long clock, byte[] body, RowFields.Said said) {}
