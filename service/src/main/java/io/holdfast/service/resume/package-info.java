/**
 * Where a topology goes on when its group has no committed offsets, because they expired or were
 * deleted, or has those of a topic that was made anew since: behind the last message that has an
 * outcome. Reads topics; decides nothing else.
 */
@NullMarked
package io.holdfast.service.resume;

import org.jspecify.annotations.NullMarked;
