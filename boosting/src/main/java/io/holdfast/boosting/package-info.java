/**
 * The learning engine: rows and a model in, a longer model out.
 *
 * <pre>{@code
 * List<Feature> features = List.of(new Feature.Numeric("age"), new Feature.Numeric("income"));
 * Rows rows = Rows.builder(2).add(new double[] {41, 52_000}, 1, "north").build(); // and many more
 * var settings = BoosterSettings.builder(new Logistic()).gamma(7).rounds(50).build();
 * Model model = new Booster(settings).fit(features, rows).model();
 * double likely = model.objective().prediction(Scorer.of(model).score(new double[] {30, 48_000}));
 * }</pre>
 *
 * <p>Start with {@link io.holdfast.boosting.Booster} and {@link
 * io.holdfast.boosting.BoosterSettings}; docs/library.md goes on from there. All settings, rows and
 * models are immutable; whatever is wrong with an argument is an {@link
 * java.lang.IllegalArgumentException} of one sentence.
 *
 * <p>Settings and rows come in from the trainer and the command line; models, losses round by round
 * and evaluations go back to them. It may not know Kafka, Avro, files, clocks or loggers: it
 * depends on the JDK and small numeric libraries.
 */
@NullMarked
package io.holdfast.boosting;

import org.jspecify.annotations.NullMarked;
