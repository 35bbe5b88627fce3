/** {@code holdfast show}: a model file and rows come in; what the model is and does goes out. */
@NullMarked
package io.holdfast.cli.show;

import org.jspecify.annotations.NullMarked;
