@NullMarked
package io.holdfast.boosting.objective;

import org.jspecify.annotations.NullMarked;
