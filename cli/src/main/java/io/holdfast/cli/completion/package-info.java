/** Completion of commands and options by a shell: it prints scripts and reads nothing. */
@NullMarked
package io.holdfast.cli.completion;

import org.jspecify.annotations.NullMarked;
