/** {@code holdfast audit}: what a model's topics hold against what is promised of them. */
@NullMarked
package io.holdfast.cli.audit;

import org.jspecify.annotations.NullMarked;
