/**
 * {@code holdfast backtest} and {@code shift}. Rows in time order come in, with one model or
 * several; what each would have lost goes out, as tables, JSON or a page. How a stream is replayed
 * is {@code learn}'s.
 */
@NullMarked
package io.holdfast.cli.backtest;

import org.jspecify.annotations.NullMarked;
