/**
 * The learning engine: rows and a model in, a longer model out.
 *
 * <pre>{@code
 * List<Feature> features = List.of(new Feature.Numeric("age"), new Feature.Numeric("income"));
 * Rows rows = Rows.builder(2).add(new double[] {41, 52_000}, 1, "north").build(); // and many more
 * var settings = BoosterSettings.builder(new Logistic()).gamma(7).rounds(50).build();
 * Fit fit = new Booster(settings).fit(features, rows);
 * double score = Scorer.of(fit.model()).score(new double[] {30, 48_000});
 * }</pre>
 *
 * <p>Settings and rows come in from the trainer and the command line; models, losses round by round
 * and evaluations go back to them. It may not know Kafka, Avro, files, clocks or loggers: it
 * depends on the JDK and small numeric libraries.
 */
@NullMarked
package io.holdfast.boosting;

import org.jspecify.annotations.NullMarked;
