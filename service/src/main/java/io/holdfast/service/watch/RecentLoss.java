package io.holdfast.service.watch;

import io.holdfast.schemas.avro.EnvironmentReport;
import io.holdfast.schemas.avro.WindowReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was served against the best constant over the newest windows, in all and by environment.
 * Immutable.
 *
 * @param windows how many windows it is of; 0 if none says anything
 * @param environments those with enough rows, the worst against its constant first
 */
public record RecentLoss(int windows, Figures all, List<Figures> environments) {
  /** So many rows of the newest windows are looked at. */
  private static final long ROWS = 1_000;

  /** Of fewer rows of an environment nothing is said. */
  private static final long FEWEST = 100;

  /** Mean losses of rows; of an environment, or of all if its name is empty. */
  public record Figures(String environment, long rows, double loss, double constantLoss) {
    /** How much more it loses than the constant, as a share of that. */
    public double excess() {
      return rows == 0 ? 0 : (loss - constantLoss) / Math.max(Math.abs(constantLoss), 1e-12);
    }

    private Figures plus(long more, double itsLoss, double itsConstant) {
      long sum = rows + more;
      return new Figures(
          environment,
          sum,
          loss + (itsLoss - loss) * more / sum,
          constantLoss + (itsConstant - constantLoss) * more / sum);
    }
  }

  /** From {@code reports}, oldest first; windows that version 0 served alone say nothing. */
  public static RecentLoss of(List<WindowReport> reports) {
    Figures all = none("");
    Map<String, Figures> environments = new HashMap<>();
    int windows = 0;
    for (WindowReport report : reports.reversed()) {
      if (all.rows() >= ROWS) {
        break;
      }
      if (!says(report)) {
        continue;
      }
      windows++;
      all = all.plus(report.getRows(), report.getLoss(), report.getConstantLoss());
      for (EnvironmentReport one : report.getEnvironments()) {
        if (finite(one.getRows(), one.getLoss(), one.getConstantLoss())) {
          String name = one.getEnvironment();
          Figures before = environments.getOrDefault(name, none(name));
          environments.put(name, before.plus(one.getRows(), one.getLoss(), one.getConstantLoss()));
        }
      }
    }
    List<Figures> enough = new ArrayList<>(environments.values());
    enough.removeIf(one -> one.rows() < FEWEST);
    enough.sort(
        (a, b) ->
            a.excess() == b.excess()
                ? a.environment().compareTo(b.environment())
                : Double.compare(b.excess(), a.excess()));
    return new RecentLoss(windows, all, enough);
  }

  /** The environment that loses most against its constant; null if there are not two. */
  public @Nullable Figures worst() {
    return environments.size() < 2 ? null : environments.getFirst();
  }

  private static Figures none(String environment) {
    return new Figures(environment, 0, 0, 0);
  }

  private static boolean says(WindowReport report) {
    return report.getWindow() > 1
        && !report.getServedVersions().equals(List.of(0L))
        && finite(report.getRows(), report.getLoss(), report.getConstantLoss());
  }

  private static boolean finite(long rows, double loss, double constantLoss) {
    return rows > 0 && Double.isFinite(loss) && Double.isFinite(constantLoss);
  }
}
