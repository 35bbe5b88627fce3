package io.holdfast.trainer.drift;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Served;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Windows that are compared one after another, without a model. Owned by one thread. */
final class WindowsInARow {
  private static final int BUFFER = 1_000;

  private final ModelSettings settings;
  private final int features;
  private final int environments;
  private final boolean keep;
  private final ModelManifest tip;
  private final List<Feature> names;
  private final List<LabelledRow> log = new ArrayList<>();
  private final List<double[]> values = new ArrayList<>();
  private @Nullable KeptReference kept;

  /** The value of a column of a row of the window; the last column is the label. */
  interface Cells {
    double at(int row, int column);
  }

  WindowsInARow(int features, boolean keep) {
    this(features, 1, keep, 0.01);
  }

  /** Rows of several environments take turns. */
  WindowsInARow(int features, int environments, boolean keep, double falseAlarms) {
    this.features = features;
    this.environments = environments;
    this.keep = keep;
    settings =
        ModelSettings.of(
            "m",
            Map.of(
                "objective", "squared",
                "label", "y",
                "drift.action", "report",
                "drift.falseAlarms", "" + falseAlarms),
            key -> key);
    names =
        IntStream.range(0, features).<Feature>mapToObj(k -> new Feature.Numeric("f" + k)).toList();
    tip =
        LedgerCodec.encode(
                new LedgerCodec.Draft(
                    "m",
                    0,
                    null,
                    new Model(new Squared(), names, 0, List.of()),
                    1,
                    List.of(),
                    List.of(),
                    IntStream.range(0, environments).mapToObj(WindowsInARow::environment).toList(),
                    1,
                    "{}",
                    Map.of(),
                    "test"))
            .version()
            .manifest();
  }

  private static String environment(int number) {
    return number == 0 ? "" : "e" + number;
  }

  /** Whether features or labels of a window of so many rows raise an alarm. */
  boolean next(int rows, Cells cells) {
    return look(rows, cells).shifts().stream().anyMatch(DriftFindings.Shift::alarm);
  }

  /** What is found in a window of so many rows, for each of which 0 was served. */
  DriftFindings look(int rows, Cells cells) {
    int begin = log.size();
    for (int row = 0; row < rows; row++) {
      double[] cell = new double[features + 1];
      for (int column = 0; column <= features; column++) {
        cell[column] = cells.at(row, column);
      }
      values.add(cell);
      log.add(
          new LabelledRow(
              new Position(0, begin + row, begin + row),
              new byte[0],
              cell[features],
              1,
              environment(row % environments),
              new Served(0, 1, Digest.of(new byte[0]))));
    }
    Evidence evidence = new Evidence(begin);
    DriftFindings found = DriftMonitor.look(settings, evidence);
    kept = keep ? ReferenceUpkeep.next(settings, evidence, found) : null;
    return found;
  }

  private final class Evidence implements LargeWindowEvidence {
    private final int begin;
    private @Nullable ReferenceCurves reference;

    Evidence(int begin) {
      this.begin = begin;
    }

    @Override
    public @Nullable KeptReference kept() {
      return kept;
    }

    @Override
    public @Nullable ReferenceCurves reference() {
      if (reference == null && kept != null) {
        reference = new ReferenceCurves(kept.sketches());
      }
      return reference;
    }

    @Override
    public ModelManifest tip() {
      return tip;
    }

    @Override
    public Objective objective() {
      return new Squared();
    }

    @Override
    public List<Feature> features() {
      return names;
    }

    @Override
    public List<LabelledRow> newest(int count) {
      return log.subList(Math.max(0, log.size() - count), log.size());
    }

    @Override
    public Rows decoded(List<LabelledRow> labelled) {
      Rows.Builder rows = Rows.builder(features);
      for (LabelledRow row : labelled) {
        double[] cells = values.get((int) row.position().offset());
        rows.add(Arrays.copyOf(cells, features), cells[features], 1, row.environment());
      }
      return rows.build();
    }

    @Override
    public List<LabelledRow> replayed() {
      return log.subList(Math.max(0, begin - BUFFER), begin);
    }

    @Override
    public Rows replay() {
      return decoded(replayed());
    }

    @Override
    public List<LabelledRow> arrived() {
      return log.subList(begin, log.size());
    }

    @Override
    public Rows window() {
      return decoded(arrived());
    }

    @Override
    public double[] served() {
      return new double[log.size() - begin];
    }
  }
}
