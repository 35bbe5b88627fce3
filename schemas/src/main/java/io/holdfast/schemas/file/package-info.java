/**
 * Files that the programs write. Paths and bytes come in from commands and from the library; whole
 * files go out, or one sentence why there is none. It may not know what the bytes mean.
 */
@NullMarked
package io.holdfast.schemas.file;

import org.jspecify.annotations.NullMarked;
