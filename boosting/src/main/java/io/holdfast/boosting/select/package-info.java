/**
 * Settings chosen by measurement: today gamma, by leaving environments out of the training rows.
 * Settings, a model and rows come in from the trainer and the command line; a choice goes back with
 * what it was made from. It trains with {@link io.holdfast.boosting.Booster} alone, and may not
 * know how that grows trees or solves for leaves.
 */
@NullMarked
package io.holdfast.boosting.select;

import org.jspecify.annotations.NullMarked;
