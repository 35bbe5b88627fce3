/**
 * What commands share of reading the command line: options, the configuration and the data file
 * that they name come in; settings, exit codes and mistakes in one sentence go out. It may not know
 * any command.
 */
@NullMarked
package io.holdfast.cli.options;

import org.jspecify.annotations.NullMarked;
