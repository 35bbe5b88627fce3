package io.holdfast.cli.learn;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.learn.OfflineTest.InEnvironment;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.feature.EnvironmentReader;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A file's scores by one version, and their evaluation if labels are known. One use each. */
public final class OfflineScores {
  private final LedgerVersion version;
  private final Model model;
  private final FeatureDecoder.Rules rules;
  private final DataFile file;
  private final @Nullable RowFields fields;
  private final boolean byEnvironment;
  private final ClassLabels classes;
  private final UnknownLabels unknown = new UnknownLabels();
  private final Rows.Builder labelled = Rows.builder(1);
  private final List<double[]> rawScores = new ArrayList<>(); // of those, row by row
  private long clipped;

  /** How rows are said. Several threads ask. */
  @FunctionalInterface
  public interface Format {
    /**
     * A row's line, by number from 1; the arrays, and the bounds, which are null if the version
     * does not say, are overwritten by the next row.
     */
    CharSequence line(
        long row,
        double prediction,
        double[] probabilities,
        double[] rawScores,
        @Nullable RowBounds bounds);
  }

  /** Takes lines with their ends, and how many rows they are of. */
  @FunctionalInterface
  public interface Lines {
    void accept(String lines, int rows);
  }

  public record Evaluated(@JsonUnwrapped Evaluation all, List<InEnvironment> environments) {}

  /** Scores of a file; {@code label} and {@code environment} are fields or null. */
  public OfflineScores(
      LedgerVersion version, DataFile file, @Nullable String label, @Nullable String environment) {
    this.version = version;
    this.model = version.model();
    rules = new FeatureDecoder.Rules(version.missingWords());
    this.file = file;
    byEnvironment = environment != null;
    classes = version.classes();
    fields =
        label == null
            ? null
            : new RowFields(
                new RowFields.LabelRule(model.objective(), classes, version.missingWords()),
                label,
                null,
                environment,
                null,
                List.of(),
                file);
  }

  public ClassLabels classes() {
    return classes;
  }

  /** After {@link #write}: labels that are none of the classes, by name. */
  public Map<String, Long> unknownLabels() {
    return unknown.counts();
  }

  /** After {@link #write}: what should be known of labels, in sentences. */
  public List<String> notes() {
    return unknown.notes(file.name(), classes);
  }

  /** How often labels are to be within bounds, ascending; none if the version does not say. */
  public List<Double> levels() {
    return version.uncertainty() == null ? List.of() : version.uncertainty().thresholds().levels();
  }

  public Objective objective() {
    return version.objective();
  }

  /** Scores all rows, as many at once as there are processors; lines come in their order. */
  public void write(Format format, Lines lines) {
    Objective objective = version.objective();
    Scorer scorer = Scorer.ofRows(model, (int) Math.min(file.rows(), Integer.MAX_VALUE));
    FeatureDecoder decoder = FileRows.decoder(file, model.features(), rules);
    EnvironmentReader environments =
        version.uncertainty() == null ? null : new EnvironmentReader(version.environment());
    double[] features = new double[model.features().size()];
    int threads = Runtime.getRuntime().availableProcessors();
    Deque<CompletableFuture<ScoredBatch>> ahead = new ArrayDeque<>();
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().name("scores-", 1).daemon().factory());
    try (RowCursor cursor = file.open()) {
      long row = 1;
      var batch = new ScoredBatch(row, features.length);
      for (byte[] body = cursor.next(); body != null; body = cursor.next(), row++) {
        if (batch.size() == ScoredBatch.MOST) {
          ScoredBatch full = batch;
          ahead.add(
              CompletableFuture.supplyAsync(
                  () -> full.score(scorer, objective, version.bounds(), format), pool));
          batch = new ScoredBatch(row, features.length);
        }
        if (ahead.size() > threads) {
          take(ahead.remove().join(), lines);
        }
        cursor.features(decoder, body, features);
        clipped += model.base().clipped(features);
        batch.add(
            features,
            fields == null ? null : fields.read(body, cursor),
            environments == null ? null : environments.of(file.schema(), body, 0));
      }
      ahead.forEach(one -> take(one.join(), lines));
      take(batch.score(scorer, objective, version.bounds(), format), lines);
    } finally {
      pool.shutdownNow();
    }
  }

  private void take(ScoredBatch batch, Lines lines) {
    lines.accept(batch.text(), batch.size());
    for (int row = 0; row < batch.size(); row++) {
      RowFields.Said said = batch.said(row);
      if (said != null && said.unknown() != null) {
        unknown.add(said.unknown());
      } else if (said != null && said.label() != null) {
        double[] raw = new double[model.objective().outputs()];
        batch.raw(row, raw);
        rawScores.add(raw);
        labelled.add(new double[] {0}, said.label(), said.weight(), said.environment());
      }
    }
  }

  /** How many values were beyond what the linear base learned from, and counted as its ends. */
  public long clipped() {
    return clipped;
  }

  /** After {@link #write}: empty if no row had a label. */
  public Optional<Evaluated> evaluation() {
    if (labelled.size() == 0) {
      return Optional.empty();
    }
    Rows rows = labelled.build();
    Objective objective = version.objective();
    List<Objective> objectives = Collections.nCopies(rows.size(), objective);
    double[] scores = new double[rows.size() * objective.outputs()]; // output by output
    for (int i = 0; i < scores.length; i++) {
      scores[i] = rawScores.get(i % rows.size())[i / rows.size()];
    }
    return Optional.of(
        new Evaluated(
            Evaluation.of(objectives, rows, scores, classes.names()),
            InEnvironment.of(
                byEnvironment
                    ? Evaluation.byEnvironment(objectives, rows, scores, classes.names())
                    : List.of())));
  }
}
