/**
 * Models as ONNX, for its runtime and whatever else reads that. A model comes in and the bytes of a
 * graph go out. It may not know other formats.
 */
@NullMarked
package io.holdfast.exchange.onnx;

import org.jspecify.annotations.NullMarked;
