package io.holdfast.service.report;

import io.holdfast.schemas.avro.WindowReport;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The newest window reports of each model, so many and no more. Thread-safe. */
public final class RecentReports {
  private final int kept;
  private final Map<String, TreeMap<Long, WindowReport>> byWindow = new HashMap<>();

  /** Keeps the newest {@code kept} reports of each of {@code models}; others are not kept. */
  public RecentReports(Collection<String> models, int kept) {
    this.kept = kept;
    for (String model : models) {
      byWindow.put(model, new TreeMap<>());
    }
  }

  /** The models whose reports are kept. */
  Set<String> models() {
    return Set.copyOf(byWindow.keySet());
  }

  /** Adds a report; the same window again replaces it. */
  public synchronized void add(WindowReport report) {
    TreeMap<Long, WindowReport> reports = byWindow.get(report.getModel());
    if (reports == null) {
      return;
    }
    reports.put(report.getWindow(), report);
    while (reports.size() > kept) {
      reports.pollFirstEntry();
    }
  }

  /** The newest {@code limit} reports of a model, oldest first. */
  public synchronized List<WindowReport> newest(String model, int limit) {
    TreeMap<Long, WindowReport> reports = byWindow.get(model);
    return reports == null
        ? List.of()
        : reports.descendingMap().values().stream().limit(limit).toList().reversed();
  }

  /** The number of a model's newest window; null before the first. */
  public synchronized @Nullable Long newestWindow(String model) {
    TreeMap<Long, WindowReport> reports = byWindow.get(model);
    return reports == null || reports.isEmpty() ? null : reports.lastKey();
  }
}
