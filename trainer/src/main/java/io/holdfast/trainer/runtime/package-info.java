/**
 * Settings come in from a file or the embedding program, this trainer's models from the group, and
 * examples from each model's topic. A thread a model feeds them to {@code learn} and has {@code
 * publish} send what was decided; health and metrics go out over HTTP. The only package that holds
 * a consumer; how trees are grown is not known here.
 *
 * <p>Its beans exist only where {@code holdfast.role} is {@code trainer}, so that the scoring
 * service can run beside it on one class path.
 */
@Configuration
@Requires(property = "holdfast.role", value = "trainer")
@NullMarked
package io.holdfast.trainer.runtime;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
