/** Whole processes that fit to a CSV file or score one. */
@NullMarked
package io.holdfast.bench.files;

import org.jspecify.annotations.NullMarked;
