/**
 * Where a topology goes on when its group has no committed offsets, because they expired or were
 * deleted: behind the last message that has an outcome. Reads topics; decides nothing else.
 */
@NullMarked
package io.holdfast.service.resume;

import org.jspecify.annotations.NullMarked;
