/**
 * Who asks over HTTP, and whether they may: tokens, roles, a limit on failures, and what is written
 * down of actions. Knows nothing of what is asked for.
 */
@NullMarked
package io.holdfast.service.access;

import org.jspecify.annotations.NullMarked;
