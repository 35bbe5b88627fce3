package io.holdfast.trainer.learn;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.evaluate.ConstantModel;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Window;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Constants that serve until the first window is full. Stateless and pure. */
public final class ColdStart {
  /*
   * Version 0 scores 0, which may cost more than all later learning gains. The best constant of n labels
   * loses 1/n more than that of all, so few versions will do: of 5 labels, of 20, of 80, and so on, while
   * the window is to take four times as many. They take no rows: the first window has them all.
   */
  private static final int FIRST = 5;
  private static final int GROWTH = 4;
  private static final String ROWS = "coldStartRows";

  private ColdStart() {}

  /** Whether a version is one of these constants. */
  public static boolean made(LedgerVersion version) {
    return rows(version) > 0;
  }

  private static int rows(LedgerVersion version) {
    return version.manifest().getMetrics().getOrDefault(ROWS, 0.0).intValue();
  }

  /** Whether the next is due at {@code rows} rows; {@code window} is the first window's size. */
  static boolean due(ModelSettings settings, LedgerVersion tip, int rows, int window) {
    Model model = tip.model();
    boolean learned = model.trees() > 0 || !model.base().terms().isEmpty(); // as imported ones have
    if (settings.update().gate().waits() || learned || (tip.number() > 0 && !made(tip))) {
      return false;
    }
    int next = Math.max(FIRST, GROWTH * rows(tip));
    return rows >= next && (GROWTH * rows <= window || rows >= window);
  }

  /** The constant of least loss on these rows, as a version that grows from {@code tip}, if any. */
  static Optional<LedgerCodec.Draft> draft(
      ModelSettings settings, String programVersion, LedgerVersion tip, long number, Window rows) {
    ConstantModel constant;
    Rows labels = labels(rows.rows());
    try {
      constant = ConstantModel.fitted(settings.booster().objective(), labels);
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // rows that are usable one by one and not together
    }
    if (!Arrays.stream(constant.scores()).allMatch(Double::isFinite)) {
      return Optional.empty();
    }
    Map<String, Double> metrics = new LinkedHashMap<>(constant.metrics());
    metrics.put(ROWS, (double) labels.size());
    metrics.put("rows", (double) labels.size());
    Base base = Base.constant(constant.scores());
    var model = new Model(constant.objective(), tip.model().features(), base, List.of());
    return Optional.of(
        new LedgerCodec.Draft(
            settings.name(),
            number,
            tip,
            model,
            settings.booster().gamma(),
            List.of(),
            OffsetRanges.of(settings.topics().examples(), rows),
            labels.environments(),
            settings.booster().seed(),
            settings.trainingJson(),
            metrics,
            programVersion));
  }

  private static Rows labels(List<LabelledRow> rows) {
    Rows.Builder labels = Rows.builder(1);
    for (LabelledRow row : rows) {
      labels.add(new double[] {0}, row.label(), row.weight(), row.environment());
    }
    return labels.build();
  }
}
