/**
 * Takes the configuration file and starts the service: scoring and label join topologies, model
 * loader, HTTP. Gives scores, examples and dead letters to their topics, and health, metrics,
 * models and a dashboard to people. Knows nothing of training; its beans exist only in a context
 * whose property {@code holdfast.role} is {@code service}, so that one JVM may run the trainer's
 * beside it.
 */
@NullMarked
@Configuration
@Requires(property = "holdfast.role", value = "service")
package io.holdfast.service;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
