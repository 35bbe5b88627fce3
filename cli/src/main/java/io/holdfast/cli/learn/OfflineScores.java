package io.holdfast.cli.learn;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.learn.OfflineTest.InEnvironment;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A file's scores by one version, and their evaluation if labels are known. One use each. */
public final class OfflineScores {
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

  @FunctionalInterface
  public interface Sink {
    /** Takes a row's score, by number from 1; the arrays are overwritten by the next row. */
    void accept(long row, double prediction, double[] probabilities, double[] rawScores);
  }

  public record Evaluated(@JsonUnwrapped Evaluation all, List<InEnvironment> environments) {}

  /** Scores of a file; {@code label} and {@code environment} are fields or null. */
  public OfflineScores(
      LedgerVersion version, DataFile file, @Nullable String label, @Nullable String environment) {
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

  /** After {@link #forEach}: labels that are none of the classes, by name. */
  public Map<String, Long> unknownLabels() {
    return unknown.counts();
  }

  /** After {@link #forEach}: what should be known of labels, in sentences. */
  public List<String> notes() {
    return unknown.notes(file.name(), classes);
  }

  public Objective objective() {
    return model.objective();
  }

  public void forEach(Sink sink) {
    Objective objective = model.objective();
    Scorer scorer = Scorer.of(model);
    FeatureDecoder decoder = FileRows.decoder(file, model.features(), rules);
    double[] features = new double[model.features().size()];
    double[] raw = new double[scorer.outputs()];
    double[] probabilities = new double[objective.classes()];
    try (RowCursor cursor = file.open()) {
      long row = 1;
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        cursor.features(decoder, body, features);
        scorer.score(features, raw);
        clipped += model.base().clipped(features);
        objective.probabilities(raw, probabilities);
        sink.accept(row++, objective.prediction(raw), probabilities, raw);
        RowFields.Said said = fields == null ? null : fields.read(body, cursor);
        if (said != null && said.unknown() != null) {
          unknown.add(said.unknown());
        } else if (said != null && said.label() != null) {
          rawScores.add(raw.clone());
          labelled.add(new double[] {0}, said.label(), said.weight(), said.environment());
        }
      }
    }
  }

  /** How many values were beyond what the linear base learned from, and counted as its ends. */
  public long clipped() {
    return clipped;
  }

  /** After {@link #forEach}: empty if no row had a label. */
  public Optional<Evaluated> evaluation() {
    if (labelled.size() == 0) {
      return Optional.empty();
    }
    Rows rows = labelled.build();
    Objective objective = model.objective();
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
