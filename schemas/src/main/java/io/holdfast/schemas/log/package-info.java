/** Topics as they are now: a partition's records, and dead letters, which may be sent in again. */
@NullMarked
package io.holdfast.schemas.log;

import org.jspecify.annotations.NullMarked;
