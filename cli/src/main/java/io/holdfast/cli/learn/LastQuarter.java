package io.holdfast.cli.learn;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.schemas.avro.WindowReport;
import java.util.List;

/**
 * The last quarter of the rows: mean loss of what was served, and of the constant fitted before.
 */
public record LastQuarter(int windows, long rows, double loss, double constantLoss) {

  /** The last quarter of {@code reports}, which are in order. */
  public static LastQuarter of(List<WindowReport> reports) {
    long all = reports.stream().mapToLong(WindowReport::getRows).sum();
    long rows = 0;
    int windows = 0;
    double loss = 0;
    double constant = 0;
    for (WindowReport report : reports.reversed()) {
      if (rows >= (all + 3) / 4) {
        break;
      }
      windows++;
      rows += report.getRows();
      loss += report.getRows() * report.getLoss();
      constant += report.getRows() * report.getConstantLoss();
    }
    return new LastQuarter(windows, rows, loss / rows, constant / rows);
  }

  /** Share of the constant model's loss that is gone, at most 1; NaN where a loss is negative. */
  @JsonProperty
  public double margin() {
    return loss >= 0 && constantLoss > 0 ? 1 - loss / constantLoss : Double.NaN;
  }
}
