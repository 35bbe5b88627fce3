/**
 * Validation by folds. Labelled rows and how a model is made of rows come in; what such models lose
 * on rows that they did not see goes out. It knows of no command.
 */
@NullMarked
package io.holdfast.cli.validate;

import org.jspecify.annotations.NullMarked;
