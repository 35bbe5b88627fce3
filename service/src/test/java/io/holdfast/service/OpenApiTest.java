package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.http.HttpMethod;
import io.micronaut.web.router.Router;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The OpenAPI document that is served is valid and has every path; the page to try it is ours. */
final class OpenApiTest {
  /** Of Micronaut's management; docs/operations.md describes it. */
  private static final String HEALTH = " /health";

  private final HttpWorld world = new HttpWorld();

  @AfterEach
  void close() {
    world.close();
  }

  private OpenAPI document() throws Exception {
    HttpResponse<String> answer = world.get("/api/v1/openapi.yaml");
    assertThat(answer.statusCode()).isEqualTo(200);
    SwaggerParseResult parsed = new OpenAPIV3Parser().readContents(answer.body());
    assertThat(parsed.getMessages()).isEmpty();
    return parsed.getOpenAPI();
  }

  @Test
  void document_isValidAndHasEveryRoute() throws Exception {
    OpenAPI document = document();
    Set<String> documented = new TreeSet<>();
    document
        .getPaths()
        .forEach(
            (path, item) ->
                item.readOperationsMap()
                    .keySet()
                    .forEach(method -> documented.add(method + " " + path)));

    Set<String> routes =
        world
            .context
            .getBean(Router.class)
            .uriRoutes()
            .filter(route -> route.getHttpMethod() != HttpMethod.HEAD)
            .map(
                route -> route.getHttpMethod() + " " + path(route.getUriMatchTemplate().toString()))
            .filter(route -> !route.contains(HEALTH) && !route.contains("/openapi"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(documented).containsExactlyElementsOf(routes);
  }

  /** Without the pattern of a variable. */
  private static String path(String template) {
    return template.replaceAll("\\{(\\w+):[^}]*}", "{$1}").replaceAll("\\{\\?[^}]*}", "");
  }

  @Test
  void operations_sayWhatTheyAreAndHowTheyFail() throws Exception {
    for (PathItem path : document().getPaths().values()) {
      for (Operation operation : path.readOperations()) {
        // Those are of another module's jar, which has no comments to read.
        if (!Set.of("kinds", "kind", "scrape").contains(operation.getOperationId())) {
          assertThat(operation.getSummary()).as(operation.getOperationId()).isNotBlank();
          assertThat(operation.getResponses()).containsKeys("200", "4XX");
        }
      }
    }
  }

  @Test
  void page_isServedWithoutAnythingFromElsewhere() throws Exception {
    String page = world.get("/openapi/").body();
    assertThat(page).doesNotContain("://").doesNotContainPattern("<script(?![^>]* src=)");
    assertThat(world.get("/").body()).contains("href=\"openapi/\"");
    HttpResponse<String> without = world.get("/openapi");
    assertThat(without.headers().firstValue("Location")).hasValue("openapi/");
    assertThat(world.get("/openapi/").statusCode()).isEqualTo(200);
    for (String file : new String[] {"try.js", "swagger-ui-bundle.js", "swagger-ui.css"}) {
      assertThat(page).contains("\"" + file + "\"");
      HttpResponse<String> answer = world.get("/openapi/" + file);
      assertThat(answer.statusCode()).as(file).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
          .doesNotContain("unsafe");
    }
  }
}
