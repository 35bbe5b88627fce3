/**
 * Learning and scoring without Kafka. Files of rows come in from {@code data}, settings from the
 * commands; fitted models, evaluations, backtests and model files go out. Nothing here knows the
 * command line, or how a result is printed.
 */
@NullMarked
package io.holdfast.cli.learn;

import org.jspecify.annotations.NullMarked;
