/** What to expect of a window before its labels come, and how far that can be relied on. */
@NullMarked
package io.holdfast.trainer.expect;

import org.jspecify.annotations.NullMarked;
