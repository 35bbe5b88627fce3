package io.holdfast.service.request;

import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.Sentence;
import java.time.Duration;

/** How long an answer may take, looked at between its parts. Owned by one thread. */
public final class TimeLimit {
  private final Duration limit;
  private final long start = System.nanoTime();

  private TimeLimit(Duration limit) {
    this.limit = limit;
  }

  static TimeLimit of(Duration limit) {
    return new TimeLimit(limit);
  }

  /** Ends an answer that takes longer. */
  public void check() {
    if (System.nanoTime() - start > limit.toNanos()) {
      throw new ProblemException(
          ProblemKind.TOO_SLOW,
          Sentence.of(
              "the answer would have taken longer than %s ms: ask for fewer records",
              limit.toMillis()));
    }
  }
}
