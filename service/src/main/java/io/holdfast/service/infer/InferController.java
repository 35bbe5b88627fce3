package io.holdfast.service.infer;

import io.holdfast.http.InferenceError;
import io.holdfast.http.Permitted;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.http.ServerVersion;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.settings.Security.Role;
import io.holdfast.service.infer.InferView.HealthView;
import io.holdfast.service.infer.InferView.ModelMetadata;
import io.holdfast.service.infer.InferView.OutputTensor;
import io.holdfast.service.infer.InferView.ReadyView;
import io.holdfast.service.infer.InferView.ServerView;
import io.holdfast.service.request.AskedVersions;
import io.holdfast.service.request.AskedVersions.Asked;
import io.holdfast.service.request.JsonScorer;
import io.holdfast.service.runtime.ServiceStatus;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The Open Inference Protocol 2 over HTTP. Scores as {@code /api/v1} does; errors are the
 * protocol's. Takes any media type, since its clients name several or none. Thread-safe.
 */
@ApiResponse(
    responseCode = "4XX",
    description = "An error; those of 500 and above are alike",
    content = @Content(schema = @Schema(implementation = InferenceError.class)))
@Controller("/v2")
@ExecuteOn(TaskExecutors.BLOCKING)
@Permitted(Role.VIEWER)
public final class InferController {
  private static final int MOST_VERSIONS = 1_000;

  private final AskedVersions versions;
  private final JsonScorer scorer;
  private final ServiceStatus status;

  InferController(AskedVersions versions, JsonScorer scorer, ServiceStatus status) {
    this.versions = versions;
    this.scorer = scorer;
    this.status = status;
  }

  /** What the server is. */
  @Get
  public ServerView server() {
    return new ServerView("holdfast", ServerVersion.VALUE, List.of(BinaryData.EXTENSION));
  }

  /** Whether the server lives: 200, or 503. */
  @Get("/health/live")
  @Permitted(toAll = true)
  public HttpResponse<HealthView> live() {
    HealthView health = health();
    return answer(health.live(), health);
  }

  /** Whether all models are ready: 200, or 503. */
  @Get("/health/ready")
  @Permitted(toAll = true)
  public HttpResponse<HealthView> ready() {
    HealthView health = health();
    return answer(health.ready(), health);
  }

  /** What a model takes and gives, by the version that serves. */
  @Get("/models/{name}")
  public ModelMetadata model(String name) {
    return metadata(name, null);
  }

  /** What a version takes and gives. */
  @Get("/models/{name}/versions/{version}")
  public ModelMetadata version(String name, String version) {
    return metadata(name, number(version));
  }

  /** Whether a model is ready: 200, or 503. */
  @Get("/models/{name}/ready")
  public HttpResponse<ReadyView> modelReady(String name) {
    boolean ready = versions.model(name).serving() != null;
    return answer(ready, new ReadyView(name, ready));
  }

  /** Whether a version is ready, which it is if the model topic holds it whole. */
  @Get("/models/{name}/versions/{version}/ready")
  public HttpResponse<ReadyView> versionReady(String name, String version) {
    return answer(true, new ReadyView(versions.find(name, number(version), null).model(), true));
  }

  /** Scores records by the version that serves. */
  @ApiResponse(
      responseCode = "200",
      description = "The outputs",
      content = @Content(schema = @Schema(implementation = InferView.class)))
  @Post("/models/{name}/infer")
  @Consumes(MediaType.ALL)
  public HttpResponse<?> infer(
      String name,
      @Body
          @RequestBody(
              content =
                  @Content(
                      mediaType = MediaType.APPLICATION_JSON,
                      schema = @Schema(implementation = InferBody.class)))
          byte[] body,
      @Nullable @Header(BinaryData.HEADER) String jsonLength) {
    return infer(name, null, BinaryData.split(body, jsonLength));
  }

  /** Scores records by a version. */
  @ApiResponse(
      responseCode = "200",
      description = "The outputs",
      content = @Content(schema = @Schema(implementation = InferView.class)))
  @Post("/models/{name}/versions/{version}/infer")
  @Consumes(MediaType.ALL)
  public HttpResponse<?> inferBy(
      String name,
      String version,
      @Body
          @RequestBody(
              content =
                  @Content(
                      mediaType = MediaType.APPLICATION_JSON,
                      schema = @Schema(implementation = InferBody.class)))
          byte[] body,
      @Nullable @Header(BinaryData.HEADER) String jsonLength) {
    return infer(name, number(version), BinaryData.split(body, jsonLength));
  }

  private HttpResponse<?> infer(String name, @Nullable Long version, BinaryData.Parts parts) {
    InferRequest request = InferRequest.parse(parts.json(), parts.binary());
    Asked asked = versions.find(name, version, request.gamma());
    ModelTensors tensors = new ModelTensors(asked.active());
    Map<String, String> paths = tensors.paths();
    List<org.apache.avro.Schema> schemas = scorer.schemas(asked, request.schema());
    List<OutputTensor> outputs =
        tensors.outputs(
            scorer.score(
                asked,
                request.records(input -> paths.getOrDefault(input, ColumnName.path(input))),
                schemas),
            request.outputs());
    InferView view =
        new InferView(
            name,
            String.valueOf(asked.active().number()),
            request.id(),
            Map.of(
                "hash",
                asked.active().version().hash().hex(),
                "gamma",
                asked.active().version().servedGamma()),
            outputs);
    List<String> asBytes =
        request.allAsBytes()
            ? outputs.stream().map(OutputTensor::name).toList()
            : request.asBytes();
    if (asBytes.isEmpty()) {
      return HttpResponse.ok(view);
    }
    BinaryData.Joined joined = BinaryData.join(view, asBytes);
    return HttpResponse.ok(joined.body())
        .contentType(MediaType.APPLICATION_OCTET_STREAM_TYPE)
        .header(BinaryData.HEADER, String.valueOf(joined.jsonLength()));
  }

  private ModelMetadata metadata(String name, @Nullable Long version) {
    Asked asked = versions.find(name, version, null);
    ModelTensors tensors = new ModelTensors(asked.active());
    return new ModelMetadata(
        name,
        versions.newest(name, MOST_VERSIONS).stream().map(String::valueOf).toList(),
        "holdfast",
        tensors.inputs(scorer.schemas(asked, null).getFirst()),
        tensors.outputs());
  }

  private HealthView health() {
    boolean live = status.failures().isEmpty();
    return new HealthView(live, live && status.restAwaited().isEmpty());
  }

  private static long number(String version) {
    try {
      return Long.parseLong(version);
    } catch (NumberFormatException e) {
      throw new ProblemException(
          ProblemKind.NO_SUCH_VERSION, "versions are whole numbers, such as 12: " + version);
    }
  }

  private static <T> HttpResponse<T> answer(boolean good, T body) {
    return HttpResponse.<T>status(good ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE).body(body);
  }
}
