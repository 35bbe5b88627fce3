/**
 * Files of rows. A path comes in from a command; one Avro schema and the rows encoded with it go
 * out, so that fit, score, backtest and replay read files through the decoder that reads topics. It
 * may not know what a model is: which columns are labels or features is the caller's affair.
 */
@NullMarked
package io.holdfast.cli.data;

import org.jspecify.annotations.NullMarked;
