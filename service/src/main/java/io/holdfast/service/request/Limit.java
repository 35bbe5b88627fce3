package io.holdfast.service.request;

import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;

/** How many of something a request asks for, or the answer that this cannot be. */
public final class Limit {
  private Limit() {}

  /** {@code asked}, which must be 1 to {@code most}. */
  public static int of(int asked, int most) {
    if (asked < 1 || asked > most) {
      throw new ProblemException(
          ProblemKind.BAD_REQUEST, "limit must be 1 to " + most + ": " + asked);
    }
    return asked;
  }

  /** The same, up to 1,000. */
  public static int of(int asked) {
    return of(asked, 1_000);
  }
}
