/**
 * Rows onto topics, and what comes of them. Files come in from {@code data} and streams of rows
 * from the demo; records and labels go out to Kafka, at a pace, and the trainer's reports are read
 * back. Nothing here knows the command line, or how a row is scored or learned from.
 */
@NullMarked
package io.holdfast.cli.stream;

import org.jspecify.annotations.NullMarked;
