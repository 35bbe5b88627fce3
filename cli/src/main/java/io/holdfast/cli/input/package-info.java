/**
 * Where rows come from. What a command line names as DATA comes in: files, patterns of them,
 * standard input, topics; unpacked bytes with a name to begin sentences with go out. It may not
 * know what a row is.
 */
@NullMarked
package io.holdfast.cli.input;

import org.jspecify.annotations.NullMarked;
