@NullMarked
package io.holdfast.schemas;

import org.jspecify.annotations.NullMarked;
