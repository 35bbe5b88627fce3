package io.holdfast.cli.ledger;

import io.holdfast.schemas.avro.ComparedEnvironment;
import io.holdfast.schemas.avro.Comparison;
import io.holdfast.schemas.settings.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Losses of the version that shadowed last ({@code version}; -1 if there was none) beside those of
 * what was served, weighted by rows; environments in order of first appearance. Immutable.
 */
public record ShadowReports(
    long version, List<Long> windows, Losses all, Map<String, Losses> environments) {
  /** Mean losses of the same rows; NaN of none. */
  public record Losses(long rows, double shadowLoss, double servedLoss) {
    private static final Losses NONE = new Losses(0, Double.NaN, Double.NaN);

    private Losses plus(long more, double shadow, double served) {
      if (rows == 0) {
        return new Losses(more, shadow, served);
      }
      double total = (double) rows + more;
      return new Losses(
          rows + more,
          (shadowLoss * rows + shadow * more) / total,
          (servedLoss * rows + served * more) / total);
    }
  }

  /** Reads the newest {@code last} windows of the reports topic. */
  public static ShadowReports read(Settings settings, String model, int last) {
    TreeMap<Long, Comparison> compared = new TreeMap<>();
    WindowReports.read(settings, model)
        .forEach(
            (window, report) -> {
              if (report.getShadow() != null) {
                compared.put(window, report.getShadow());
              }
            });
    return of(compared, last);
  }

  static ShadowReports of(TreeMap<Long, Comparison> compared, int last) {
    if (compared.isEmpty()) {
      return new ShadowReports(-1, List.of(), Losses.NONE, Map.of());
    }
    long version = compared.lastEntry().getValue().getVersion();
    List<Map.Entry<Long, Comparison>> own =
        compared.entrySet().stream()
            .filter(window -> window.getValue().getVersion() == version)
            .toList();
    List<Long> windows = new ArrayList<>();
    Losses all = Losses.NONE;
    Map<String, Losses> environments = new LinkedHashMap<>();
    for (var window : own.subList(Math.max(0, own.size() - last), own.size())) {
      Comparison one = window.getValue();
      windows.add(window.getKey());
      all = all.plus(one.getRows(), one.getLoss(), one.getAgainstLoss());
      for (ComparedEnvironment part : one.getEnvironments()) {
        environments.merge(
            part.getEnvironment(),
            Losses.NONE.plus(part.getRows(), part.getLoss(), part.getAgainstLoss()),
            (sum, more) -> sum.plus(more.rows(), more.shadowLoss(), more.servedLoss()));
      }
    }
    return new ShadowReports(version, List.copyOf(windows), all, environments);
  }
}
