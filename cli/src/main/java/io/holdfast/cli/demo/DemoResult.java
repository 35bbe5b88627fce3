package io.holdfast.cli.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.holdfast.cli.learn.LastQuarter;
import io.holdfast.cli.report.Reports;
import io.holdfast.schemas.avro.WindowReport;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What came of a run of the demo; seconds are since the start of the process. */
public record DemoResult(
    long rows,
    long labels,
    long rowsScored,
    long repeatedScores,
    Map<String, Long> deadLetters,
    double secondsToReady,
    @Nullable Double secondsToFirstVersion,
    double seconds,
    @JsonSerialize(converter = Reports.Windows.class) List<WindowReport> windows) {
  private static final double MARGIN = 0.3;

  public DemoResult {
    deadLetters = Collections.unmodifiableMap(new TreeMap<>(deadLetters));
    windows = List.copyOf(windows);
  }

  @JsonProperty
  public long versionsPublished() {
    return windows.stream().filter(window -> window.getPublishedVersion() != null).count();
  }

  @JsonProperty
  public LastQuarter lastQuarter() {
    return LastQuarter.of(windows);
  }

  /** By what share the last quarter's loss must be below the others, to have learned. */
  @JsonProperty
  public double requiredMargin() {
    return MARGIN;
  }

  /**
   * Whether the last quarter's loss is at least {@link #requiredMargin} below that of the constant
   * model and of the first window, in windows enough to speak of quarters.
   */
  @JsonProperty
  public boolean learned() {
    if (windows.size() < 4) {
      return false;
    }
    double loss = lastQuarter().loss();
    return loss <= (1 - MARGIN) * lastQuarter().constantLoss()
        && loss <= (1 - MARGIN) * windows.getFirst().getLoss();
  }
}
