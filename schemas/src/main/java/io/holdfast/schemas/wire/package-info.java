@NullMarked
package io.holdfast.schemas.wire;

import org.jspecify.annotations.NullMarked;
