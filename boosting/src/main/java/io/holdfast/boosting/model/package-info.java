@NullMarked
package io.holdfast.boosting.model;

import org.jspecify.annotations.NullMarked;
