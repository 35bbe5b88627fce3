package io.holdfast.http;

import io.micronaut.http.exceptions.HttpStatusException;

/** A request that gets a {@link Problem} for an answer, said in one sentence for the user. */
public final class ProblemException extends HttpStatusException {
  private static final long serialVersionUID = 1;

  private final ProblemKind kind;

  public ProblemException(ProblemKind kind, String detail) {
    super(kind.status(), detail);
    this.kind = kind;
  }

  public ProblemKind kind() {
    return kind;
  }

  /** A record may be tried by many schemas: where it was refused is of no interest. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
