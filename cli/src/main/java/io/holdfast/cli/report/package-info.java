/**
 * What commands share of showing results: evaluations, window reports and drift come in; tables,
 * JSON and HTML pages go out. It may not know any command.
 */
@NullMarked
package io.holdfast.cli.report;

import org.jspecify.annotations.NullMarked;
