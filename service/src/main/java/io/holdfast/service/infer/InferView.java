package io.holdfast.service.infer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an inference request.
 *
 * @param parameters the version's hash and the gamma whose leaf values scored
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record InferView(
    @JsonProperty("model_name") String model,
    @JsonProperty("model_version") String version,
    @Nullable String id,
    Map<String, Object> parameters,
    List<OutputTensor> outputs) {

  InferView with(List<OutputTensor> others) {
    return new InferView(model, version, id, parameters, others);
  }

  /** A tensor; its data, row by row, is null if it is behind the JSON. */
  @Serdeable
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record OutputTensor(
      String name,
      String datatype,
      List<Integer> shape,
      @Nullable Map<String, Object> parameters,
      @Nullable List<Object> data) {}

  /** What the server is. */
  @Serdeable
  public record ServerView(String name, String version, List<String> extensions) {}

  /** Whether the server lives, and all of its models are ready. */
  @Serdeable
  public record HealthView(boolean live, boolean ready) {}

  /** Whether a model, or a version of it, is ready. */
  @Serdeable
  public record ReadyView(String name, boolean ready) {}

  /** What a model takes and gives. */
  @Serdeable
  public record ModelMetadata(
      String name,
      List<String> versions,
      String platform,
      List<TensorMetadata> inputs,
      List<TensorMetadata> outputs) {}

  /** A tensor of a model; -1 is the number of records. */
  @Serdeable
  public record TensorMetadata(String name, String datatype, List<Integer> shape) {}
}
