/**
 * Examples come in from each model's example topic, windows of them become new versions, and those
 * go out to the model topic with a report a window. The packages below read in that order: {@code
 * window}, {@code learn}, {@code publish}, {@code runtime}. Nothing here knows the scoring service
 * or the command line.
 */
@NullMarked
package io.holdfast.trainer;

import org.jspecify.annotations.NullMarked;
