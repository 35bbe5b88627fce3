@NullMarked
package io.holdfast.boosting;

import org.jspecify.annotations.NullMarked;
