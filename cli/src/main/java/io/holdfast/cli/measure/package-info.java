/** Models and scores of labelled rows come in; figures go out. It knows the engine alone. */
@NullMarked
package io.holdfast.cli.measure;

import org.jspecify.annotations.NullMarked;
