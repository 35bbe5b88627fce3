@NullMarked
package io.holdfast.trainer;

import org.jspecify.annotations.NullMarked;
