package io.holdfast.service;

import io.holdfast.http.MetricsController;
import io.holdfast.http.Permitted;
import io.holdfast.http.ProblemsController;
import io.micronaut.core.io.ResourceResolver;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.openapi.annotation.OpenAPIInclude;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.enums.SecuritySchemeType;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.info.License;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.security.SecurityScheme;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;

/** The OpenAPI document, which the compiler makes from the controllers. */
@OpenAPIDefinition(
    info =
        @Info(
            title = "Holdfast",
            version = "1",
            license = @License(name = "Apache-2.0"),
            description =
                "Scores, their reasons and what serves, and the Open Inference Protocol 2 under"
                    + " /v2. An error is a problem (RFC 9457) whose type explains itself at its"
                    + " address; under /v2 it is the protocol's."),
    security = @SecurityRequirement(name = "token"))
@SecurityScheme(name = "token", type = SecuritySchemeType.HTTP, scheme = "bearer")
@OpenAPIInclude(classes = {ProblemsController.class, MetricsController.class})
@Controller
final class OpenApi {
  private static final String DOCUMENT = "classpath:META-INF/swagger/holdfast-1.yml";

  private static final String PAGE = "classpath:io/holdfast/service/openapi/index.html";

  private final ResourceResolver resources;

  OpenApi(ResourceResolver resources) {
    this.resources = resources;
  }

  @Get("/api/v1/openapi.yaml")
  @Hidden
  @Produces("application/yaml")
  byte[] document() throws IOException {
    return bytes(DOCUMENT);
  }

  /** The page, whose files are beside it: its address must end in a slash. */
  @Get("/openapi")
  @Hidden
  @Permitted(toAll = true)
  @Produces(MediaType.TEXT_HTML)
  HttpResponse<?> page(HttpRequest<?> request) throws IOException {
    return request.getPath().endsWith("/")
        ? HttpResponse.ok(bytes(PAGE))
        : HttpResponse.redirect(URI.create("openapi/"));
  }

  private byte[] bytes(String resource) throws IOException {
    try (InputStream in = resources.getResourceAsStream(resource).orElseThrow()) {
      return in.readAllBytes();
    }
  }
}
