/**
 * XGBoost's models in JSON and UBJ. A document comes in and a model that predicts the same goes
 * out, and the other way round. It may not know other formats.
 */
@NullMarked
package io.holdfast.exchange.xgboost;

import org.jspecify.annotations.NullMarked;
