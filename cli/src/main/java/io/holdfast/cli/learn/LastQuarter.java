package io.holdfast.cli.learn;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.schemas.avro.WindowReport;
import java.util.List;

/**
 * The windows that hold the last quarter of the rows, against the constant model: what learning was
 * worth once it had something to learn from.
 *
 * @param windows how many windows
 * @param rows their rows
 * @param loss mean loss of what was served
 * @param constantLoss mean loss of the constant fitted to the rows before each window
 */
public record LastQuarter(int windows, long rows, double loss, double constantLoss) {

  /** The last quarter of {@code reports}, which are in order; none if there are none. */
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

  /**
   * How much of the constant model's loss is gone, 0 to 1; negative if there is more of it. NaN
   * where a loss is below 0, as that of densities and counts may be: then there is no share of it.
   */
  @JsonProperty
  public double margin() {
    return loss >= 0 && constantLoss > 0 ? 1 - loss / constantLoss : Double.NaN;
  }
}
