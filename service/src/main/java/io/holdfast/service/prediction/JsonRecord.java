package io.holdfast.service.prediction;

import io.swagger.v3.oas.annotations.media.Schema;

/**
 * A record's fields by name, as the OpenAPI document shows it, or an array of such. {@code
 * JsonRecords} reads it.
 */
@Schema(
    type = "object",
    additionalProperties = Schema.AdditionalPropertiesValue.TRUE,
    example = "{\"temperature\": 12.5}")
interface JsonRecord {}
