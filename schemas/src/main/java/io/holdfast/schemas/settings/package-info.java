@NullMarked
package io.holdfast.schemas.settings;

import org.jspecify.annotations.NullMarked;
