package io.holdfast.service;

import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;

/** What the OpenAPI document says of the service as a whole. */
@OpenAPIDefinition(
    info =
        @Info(
            title = "Holdfast",
            version = "1",
            description = "Scores, their reasons, and what serves."))
final class OpenApi {
  private OpenApi() {}
}
