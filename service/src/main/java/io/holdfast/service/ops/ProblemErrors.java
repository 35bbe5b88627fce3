package io.holdfast.service.ops;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.Error;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.util.stream.Collectors;

/** Every error that the framework answers with, as a {@link Problem}. Thread-safe. */
@Singleton
public final class ProblemErrors implements ErrorResponseProcessor<Problem> {
  @Override
  public MutableHttpResponse<Problem> processResponse(
      ErrorContext context, MutableHttpResponse<?> response) {
    HttpStatus status = HttpStatus.valueOf(response.code());
    String detail =
        status == HttpStatus.INTERNAL_SERVER_ERROR
            // A bug's own words are for the log, not for strangers.
            ? "the service failed to answer; its log says why"
            : context.getErrors().stream().map(Error::getMessage).collect(Collectors.joining("; "));
    return response
        .body(
            new Problem(
                "about:blank",
                status.getReason(),
                status.getCode(),
                detail.isBlank()
                    ? context.getRequest().getPath() + ": " + status.getReason()
                    : detail))
        .contentType(Problem.MEDIA_TYPE);
  }
}
