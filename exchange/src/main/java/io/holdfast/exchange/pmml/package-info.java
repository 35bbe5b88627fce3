/**
 * Models as PMML 4.4, for evaluators of others. A model comes in and the bytes of a document go
 * out. It may not know other formats.
 */
@NullMarked
package io.holdfast.exchange.pmml;

import org.jspecify.annotations.NullMarked;
