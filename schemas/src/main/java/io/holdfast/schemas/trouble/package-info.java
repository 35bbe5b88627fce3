/**
 * Takes what the parts of a program find wrong with a model while it works. Gives status, metrics,
 * log and dashboard one list of it, by name. Knows nothing of who finds it or who shows it.
 */
@NullMarked
package io.holdfast.schemas.trouble;

import org.jspecify.annotations.NullMarked;
