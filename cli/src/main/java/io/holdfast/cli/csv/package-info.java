/**
 * The text of CSV files. Bytes come in; a header and blocks of typed cells go out, in the order of
 * the file, though several blocks are read at once. It knows no files and no models.
 */
@NullMarked
package io.holdfast.cli.csv;

import org.jspecify.annotations.NullMarked;
