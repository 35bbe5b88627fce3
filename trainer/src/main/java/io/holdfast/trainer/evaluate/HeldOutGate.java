package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ComparedEnvironment;
import io.holdfast.schemas.avro.Comparison;
import io.holdfast.schemas.avro.GateReport;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.trainer.window.LabelledRow;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Compares a new version with the one it would replace, on rows that it was not trained on. It
 * passes if neither its mean loss nor that of its own worst environment is worse: {@code new <=
 * present + margin |present|}. NaN never passes. Stateless.
 */
public final class HeldOutGate {
  private HeldOutGate() {}

  /**
   * Compares the two.
   *
   * @param rows the rows held out, at least one
   * @param labelled the same, decoded: labels, weights and environments count
   */
  public static GateReport judge(
      LedgerVersion candidate,
      LedgerVersion present,
      Framing framing,
      List<LabelledRow> rows,
      Rows labelled,
      double margin) {
    VersionLosses theirs;
    VersionLosses ours;
    try {
      theirs = VersionLosses.of(present, framing, rows, labelled);
      ours = VersionLosses.of(candidate, framing, rows, labelled);
    } catch (MalformedRecordException e) {
      throw new IllegalStateException("a row was judged usable and is not", e);
    }
    Comparison comparison = ours.against(theirs, candidate.number(), present.number(), rows.size());
    boolean passed =
        notWorse(ours.mean(), theirs.mean(), margin)
            && notWorse(
                worst(comparison, ComparedEnvironment::getLoss),
                worst(comparison, ComparedEnvironment::getAgainstLoss),
                margin);
    return new GateReport(passed, margin, comparison);
  }

  /** Why a version that did not pass is not published. */
  public static String refusal(GateReport gate) {
    return "Version "
        + gate.getComparison().getVersion()
        + " is not published, for it is worse. "
        + sentence(gate);
  }

  /** What was compared, for the report's decision. */
  public static String sentence(GateReport gate) {
    Comparison compared = gate.getComparison();
    return Sentence.of(
        "On %d rows kept out of training version %d has a mean loss of %.6g and %.6g in the worst"
            + " environment, and version %d, which it would replace, %.6g and %.6g (margin %s).",
        compared.getRows(),
        compared.getVersion(),
        compared.getLoss(),
        worst(compared, ComparedEnvironment::getLoss),
        compared.getAgainst(),
        compared.getAgainstLoss(),
        worst(compared, ComparedEnvironment::getAgainstLoss),
        gate.getMargin());
  }

  private static double worst(Comparison comparison, ToDoubleFunction<ComparedEnvironment> loss) {
    double worst = Double.NEGATIVE_INFINITY;
    for (ComparedEnvironment environment : comparison.getEnvironments()) {
      worst = Math.max(worst, loss.applyAsDouble(environment)); // NaN stays NaN
    }
    return worst;
  }

  private static boolean notWorse(double candidate, double present, double margin) {
    return candidate <= present + margin * Math.abs(present);
  }
}
