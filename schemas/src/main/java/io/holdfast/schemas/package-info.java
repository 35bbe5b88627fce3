/**
 * What travels between the parts of Holdfast: contracts, framings, features, versions, topics and
 * settings. Bytes and files come in from Kafka and from users; typed values go out to the trainer,
 * the service and the command line. It knows the engine's types and nothing of who uses them.
 */
@NullMarked
package io.holdfast.schemas;

import org.jspecify.annotations.NullMarked;
