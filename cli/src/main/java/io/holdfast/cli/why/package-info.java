/**
 * The command that says why the loss of a window rose: what the trainer's reports say, from their
 * topic, goes out as text or JSON.
 */
@NullMarked
package io.holdfast.cli.why;

import org.jspecify.annotations.NullMarked;
