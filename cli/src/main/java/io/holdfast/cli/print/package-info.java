/**
 * How results look. Values come in from the commands; tables, JSON and progress bars go out as
 * text, each to the stream it belongs on. It may not know what is printed: no model, row or topic
 * is named here.
 */
@NullMarked
package io.holdfast.cli.print;

import org.jspecify.annotations.NullMarked;
