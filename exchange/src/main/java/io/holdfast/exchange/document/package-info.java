/**
 * Documents of named values, in JSON or Universal Binary JSON. Bytes come in; values go out,
 * numbers packed in arrays. It may not know what they mean.
 */
@NullMarked
package io.holdfast.exchange.document;

import org.jspecify.annotations.NullMarked;
