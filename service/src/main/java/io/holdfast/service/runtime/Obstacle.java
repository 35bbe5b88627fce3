package io.holdfast.service.runtime;

import io.holdfast.schemas.trouble.TroubleKind;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a topology from running now.
 *
 * @param kind the trouble that the model is in; null if it is only waited for, as at any start
 * @param sentence what is wrong or waited for, and what to do about it
 */
record Obstacle(@Nullable TroubleKind kind, String sentence) {}
