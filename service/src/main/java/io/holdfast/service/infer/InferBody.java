package io.holdfast.service.infer;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An inference request as the OpenAPI document shows it; {@link InferRequest} reads it.
 *
 * @param id given back in the answer
 * @param parameters {@code gamma} (a number), {@code schema} (a record schema's fingerprint),
 *     {@code binary_data_output}; others are passed over
 * @param outputs those asked for; all without it
 */
public record InferBody(
    @Nullable String id,
    @Nullable Map<String, Object> parameters,
    List<Input> inputs,
    @Nullable List<Output> outputs) {

  /**
   * A column of the records: a missing value is null, or NaN, and a column that is left out is
   * missing in all.
   *
   * @param shape [n] or [n, 1] of n records
   */
  public record Input(
      @Schema(example = "temperature") String name,
      @Schema(example = "FP64") Datatype datatype,
      @Schema(example = "[1]") List<Integer> shape,
      @Schema(example = "[12.5]") List<Object> data) {}

  /** An output by name. */
  public record Output(String name) {}
}
