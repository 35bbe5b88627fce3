/** Values that are none, on the topics that running programs read. */
@NullMarked
package io.holdfast.faults.poison;

import org.jspecify.annotations.NullMarked;
