@NullMarked
package io.holdfast.boosting.data;

import org.jspecify.annotations.NullMarked;
