package io.holdfast.schemas.version;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.select.GammaVariant;
import java.util.ArrayList;
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

  /** The rungs of a draft, whose segments are written. */
  static List<LedgerRung> publish(LedgerCodec.Draft draft, SegmentWriter writer, Model model) {
    LedgerLimits.write(draft.extras().rungs().size(), LedgerLimits.RUNGS, "the rungs of a version");
    List<LedgerRung> rungs = new ArrayList<>();
    long numbers = draft.extras().rungs().isEmpty() ? 0 : TreeCodec.numbers(model.segments());
    for (GammaVariant rung : draft.extras().rungs()) {
      SegmentWriter.Published own = writer.write(rung.model());
      LedgerRung published = new LedgerRung(rung.gamma(), own.digests(), own.in(rung.model()));
      LedgerCodec.checkLimits(published.model());
      numbers += TreeCodec.numbers(published.model().segments());
      LedgerLimits.write(
          numbers, LedgerLimits.TREE_NUMBERS, "the numbers in all trees of a version");
      rungs.add(published);
    }
    check(draft.gamma(), model, rungs, draft.extras().rung());
    return rungs;
  }
}
