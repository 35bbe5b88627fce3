package io.holdfast.schemas.trouble;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.WindowReport;
import java.util.List;

/**
 * Tells from the reports of a model's windows, one after the other, whether it still learns and
 * whether it is of use. Owned by one thread.
 */
public final class WindowSigns {
  /*
   * Losses fade, so that what is said holds for about the newest thousand rows, and a model that has
   * recovered is no longer in trouble. Windows that version 0 served alone say nothing of what was
   * learned, nor does the first, which constants served.
   */
  private static final int REFUSALS = 5;
  private static final double HALF_LIFE = 700;
  private static final double FEWEST_ROWS = 300;
  private static final double WORSE = 0.01; // than the constant, as a share of its loss

  private final String model;
  private final Troubles troubles;
  private long refused; // in a row
  private String refusal = "";
  private long tip;
  private double rows;
  private double loss;
  private double constantLoss;

  public WindowSigns(String model, Troubles troubles) {
    this.model = model;
    this.troubles = troubles;
  }

  /** Takes the report of the next window; whoever has read all there are calls {@link #tell}. */
  public void add(WindowReport report) {
    if (report.getPublishedVersion() != null) {
      refused = 0;
    } else if (report.getRows() > 0) {
      refused++;
      refusal = report.getDecision();
    }
    if (report.getTipVersion() != null) {
      tip = report.getTipVersion();
    }
    boolean learned = report.getWindow() > 1 && !report.getServedVersions().equals(List.of(0L));
    if (learned && Double.isFinite(report.getLoss()) && Double.isFinite(report.getConstantLoss())) {
      double fade = StrictMath.pow(0.5, report.getRows() / HALF_LIFE);
      rows = fade * rows + report.getRows();
      loss = fade * loss + report.getRows() * report.getLoss();
      constantLoss = fade * constantLoss + report.getRows() * report.getConstantLoss();
    }
  }

  /** Says what the reports so far amount to. */
  public void tell() {
    if (refused >= REFUSALS) {
      troubles.begin(
          model,
          TroubleKind.REFUSED_REPEATEDLY,
          Sentence.of(
              "the newest %d windows came to no version, and version %d stays as it is: look into"
                  + " the last refusal, and if nothing is wrong with the labels, at update.gate and"
                  + " update.margin. %s",
              refused, tip, refusal));
    } else {
      troubles.end(model, TroubleKind.REFUSED_REPEATEDLY);
    }
    if (rows >= FEWEST_ROWS && loss - constantLoss > WORSE * Math.abs(constantLoss)) {
      troubles.begin(
          model,
          TroubleKind.WORSE_THAN_CONSTANT,
          Sentence.of(
              "over the newest rows what serves loses %.4g a row, where the best constant loses"
                  + " %.4g: see whether labels belong to their records, and try another"
                  + " update.policy in a backtest",
              loss / rows, constantLoss / rows));
    } else {
      troubles.end(model, TroubleKind.WORSE_THAN_CONSTANT);
    }
  }

  /** Somebody else is to say it from now on. */
  public void end() {
    troubles.end(model, TroubleKind.REFUSED_REPEATEDLY);
    troubles.end(model, TroubleKind.WORSE_THAN_CONSTANT);
  }
}
