package io.holdfast.service.runtime;

import io.holdfast.schemas.trouble.TroubleKind;
import org.jspecify.annotations.Nullable;

/** What keeps a topology from running; {@code kind} is null if it is only waited for. */
record Obstacle(@Nullable TroubleKind kind, String sentence) {}
