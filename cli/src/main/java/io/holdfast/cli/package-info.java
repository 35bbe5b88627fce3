/**
 * The {@code holdfast} command. Arguments, files and configuration come in from a person or a
 * script; results go out to standard output, files and topics, and mistakes to standard error in
 * one sentence each. It may know every other module, and none may know it.
 */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
