/**
 * The configuration: one YAML file, or a command's flags, come in and checked, immutable records go
 * out to every application. Every mistake becomes one sentence that names the key, the value and
 * what would be right. It may not know Kafka, Avro or who reads the settings.
 */
@NullMarked
package io.holdfast.schemas.settings;

import org.jspecify.annotations.NullMarked;
