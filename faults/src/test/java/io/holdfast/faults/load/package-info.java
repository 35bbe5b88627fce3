/** More than programs can take, and for longer than anybody watches. */
@NullMarked
package io.holdfast.faults.load;

import org.jspecify.annotations.NullMarked;
