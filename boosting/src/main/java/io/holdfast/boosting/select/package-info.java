/**
 * What is chosen by measurement across environments: gamma by leaving environments out, leaf values
 * of the same trees for several gammas, weights and leaf values for the worst environment.
 * Settings, a model and rows come in from the trainer and the command line; a choice or models go
 * back. It trains with {@link io.holdfast.boosting.Booster} and {@code io.holdfast.boosting.leaf}
 * alone, and may not know how trees are grown.
 */
@NullMarked
package io.holdfast.boosting.select;

import org.jspecify.annotations.NullMarked;
