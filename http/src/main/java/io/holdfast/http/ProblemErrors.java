package io.holdfast.http;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.Error;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.util.stream.Collectors;

/**
 * Every error as a {@link Problem}, but under {@value #INFERENCE} as the Open Inference Protocol
 * has it. Thread-safe.
 */
@Singleton
public final class ProblemErrors implements ErrorResponseProcessor<Object> {
  private static final String INFERENCE = "/v2";

  @Override
  public MutableHttpResponse<Object> processResponse(
      ErrorContext context, MutableHttpResponse<?> response) {
    ProblemKind kind =
        context.getRootCause().orElse(null) instanceof ProblemException known
            ? known.kind()
            : ProblemKind.of(HttpStatus.valueOf(response.code()));
    String path = context.getRequest().getPath();
    String said =
        kind == ProblemKind.INTERNAL
            // A bug's own words are for the log, not for strangers.
            ? "the program failed to answer; its log says why"
            : context.getErrors().stream().map(Error::getMessage).collect(Collectors.joining("; "));
    String detail = said.isBlank() ? path + ": " + kind.title() : said;
    response.status(kind.status());
    return path.equals(INFERENCE) || path.startsWith(INFERENCE + "/")
        ? response.<Object>body(new InferenceError(detail)).contentType(MediaType.APPLICATION_JSON)
        : response.<Object>body(Problem.of(kind, detail)).contentType(Problem.MEDIA_TYPE);
  }
}
