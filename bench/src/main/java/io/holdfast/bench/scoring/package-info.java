/**
 * The same ensembles scored side by side: by Holdfast, by its plain walk, by LightGBM and by
 * compiled C. In come generated rows and models trained on them; out go a table and its ratios. It
 * may not know Kafka or Avro.
 */
@NullMarked
package io.holdfast.bench.scoring;

import org.jspecify.annotations.NullMarked;
