/**
 * Records to feature vectors: the only decoder there is, so that training and scoring cannot
 * disagree. Writer schemas, settings and Avro bodies come in; feature lists, vectors and single
 * field values go out to scoring, training and backtest. It may not know Kafka, models or versions.
 */
@NullMarked
package io.holdfast.schemas.feature;

import org.jspecify.annotations.NullMarked;
