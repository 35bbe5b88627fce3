package io.holdfast.cli.learn;

/**
 * A row of a stream: its number from 0, when it comes (its number, or its time in milliseconds,
 * never decreasing), its Avro body, which is never changed, and its label and roles.
 */
@SuppressWarnings("ArrayRecordComponent") // rows are many, and what they hold is never changed
record StreamRow(long number, long clock, byte[] body, RowFields.Said said) {}
