/**
 * Intervals and sets that rows of a replayed stream are served with, and how often they hold the
 * label. It may not know commands or the trainer.
 */
@NullMarked
package io.holdfast.cli.coverage;

import org.jspecify.annotations.NullMarked;
