package io.holdfast.service.request;

import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;

/** How many of something a request asks for, or the answer that this cannot be. */
public final class Limit {
  private Limit() {}

  /** {@code asked} by the parameter {@code name}, which must be 1 to {@code most}. */
  public static int of(String name, int asked, int most) {
    if (asked < 1 || asked > most) {
      throw new ProblemException(
          ProblemKind.BAD_REQUEST, name + " must be 1 to " + most + ": " + asked);
    }
    return asked;
  }

  /** That of the parameter limit, up to 1,000. */
  public static int of(int asked) {
    return of("limit", asked, 1_000);
  }
}
