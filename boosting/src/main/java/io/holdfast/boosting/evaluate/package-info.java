@NullMarked
package io.holdfast.boosting.evaluate;

import org.jspecify.annotations.NullMarked;
