/**
 * Takes ids of schemas and subjects. Gives the schemas that a registry with Confluent's REST API
 * has under them, with all that they refer to, and ids of schemas that are registered there.
 * Whatever a server does, an answer is bounded in time and size. Knows nothing of records or
 * topics.
 */
@NullMarked
package io.holdfast.schemas.registry;

import org.jspecify.annotations.NullMarked;
