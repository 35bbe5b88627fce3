/**
 * Takes consumer groups and the topics that they read. Gives how far each is behind, in records and
 * in time, by asking the broker alone, so that any program can say it of any other.
 */
@NullMarked
package io.holdfast.schemas.lag;

import org.jspecify.annotations.NullMarked;
