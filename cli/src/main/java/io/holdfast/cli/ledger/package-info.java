/**
 * What the model topic holds, for people: read to its end at one moment, compared version with
 * version, and taken to model files and back. Values come in from Kafka; the commands print what
 * goes out. It may not know flags or consoles.
 */
@NullMarked
package io.holdfast.cli.ledger;

import org.jspecify.annotations.NullMarked;
