/**
 * Models as plain JSON, to be scored by a page of any language. A model comes in and a document
 * goes out, and the other way round. It may not know other formats.
 */
@NullMarked
package io.holdfast.exchange.json;

import org.jspecify.annotations.NullMarked;
