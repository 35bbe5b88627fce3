/**
 * The compacted topics that everyone follows, the one way to change a model's head, and the check
 * that all topics are as they must be. Client settings and changes come in, records, schemas and
 * plain sentences about what is wrong go out to service, trainer and command line. It may not know
 * what a version or a head says; it is the only package of its module that may know Kafka.
 */
@NullMarked
package io.holdfast.schemas.topic;

import org.jspecify.annotations.NullMarked;
