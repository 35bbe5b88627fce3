package io.holdfast.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.netty.handler.codec.DecoderException;
import jakarta.inject.Singleton;

/** A body that is not compressed as its header says is a client's mistake, not a bug. */
@Singleton
final class UndecodedBody implements ExceptionHandler<DecoderException, HttpResponse<?>> {
  private final ErrorResponseProcessor<?> errors;

  UndecodedBody(ErrorResponseProcessor<?> errors) {
    this.errors = errors;
  }

  @Override
  @SuppressWarnings("rawtypes") // as it is inherited
  public HttpResponse<?> handle(HttpRequest request, DecoderException cause) {
    var why =
        new ProblemException(
            ProblemKind.MALFORMED_BODY,
            "the body is not compressed as the header Content-Encoding says");
    HttpRequest<?> asked = request;
    return errors.processResponse(
        ErrorContext.builder(asked).cause(why).errorMessage("" + why.getMessage()).build(),
        HttpResponse.status(why.getStatus()));
  }
}
