@NullMarked
package io.holdfast.schemas.topic;

import org.jspecify.annotations.NullMarked;
