@NullMarked
package io.holdfast.schemas.feature;

import org.jspecify.annotations.NullMarked;
