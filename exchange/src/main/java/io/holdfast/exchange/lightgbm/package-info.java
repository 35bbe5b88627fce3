/**
 * LightGBM's text models. Lines come in and a model that predicts the same goes out, and the other
 * way round. It may not know other formats.
 */
@NullMarked
package io.holdfast.exchange.lightgbm;

import org.jspecify.annotations.NullMarked;
