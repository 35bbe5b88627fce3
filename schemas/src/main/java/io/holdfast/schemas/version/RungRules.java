package io.holdfast.schemas.version;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.numeric.Check;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What makes models the rungs of one version. Stateless. */
final class RungRules {
  private RungRules() {}

  /**
   * Checks rungs.
   *
   * @param gamma what {@code model} was trained with
   * @param served the gamma of the rung that scores; null if {@code model} does
   * @throws IllegalArgumentException in one sentence, if they are none
   */
  static void check(double gamma, Model model, List<LedgerRung> rungs, @Nullable Double served) {
    boolean found = served == null;
    for (int k = 0; k < rungs.size(); k++) {
      LedgerRung rung = rungs.get(k);
      Check.that(
          rung.gamma() >= 0 && rung.gamma() < Double.POSITIVE_INFINITY && rung.gamma() != gamma,
          "the gamma of a rung must be 0 or more, finite, and not the version's own: %s",
          rung.gamma());
      Check.that(
          k == 0 || rung.gamma() > rungs.get(k - 1).gamma(),
          "the gammas of rungs must be ascending: %s after %s",
          rung.gamma(),
          k == 0 ? 0 : rungs.get(k - 1).gamma());
      checkSegments(rung, model);
      found |= served != null && rung.gamma() == served;
    }
    Check.that(
        found, "the rung that scores must be one of the version's: %s", String.valueOf(served));
  }

  private static void checkSegments(LedgerRung rung, Model model) {
    List<Segment> theirs = rung.model().segments();
    List<Segment> ours = model.segments();
    boolean same = theirs.size() == ours.size();
    for (int k = 0; same && k < ours.size(); k++) {
      same =
          theirs.get(k).decay() == ours.get(k).decay()
              && theirs.get(k).trees().size() == ours.get(k).trees().size();
    }
    Check.that(
        same,
        "the rung of gamma %s must have as many segments, trees and the same decays as its version",
        rung.gamma());
  }
}
