package io.holdfast.cli.learn;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.explain.Explainer;
import io.holdfast.boosting.explain.Explanation;
import io.holdfast.boosting.explain.Importance;
import io.holdfast.boosting.explain.MeanContributions;
import io.holdfast.boosting.model.Model;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** Explains the scores of a file's rows by one version. One use each. */
public final class OfflineExplanations {
  private final Explainer explainer;
  private final FeatureDecoder.Rules rules;
  private final DataFile file;
  private final MeanContributions means;

  /** Explanations averaged over {@code background}, or the rows trained on if it is null. */
  public OfflineExplanations(LedgerVersion version, DataFile file, @Nullable DataFile background) {
    Model model = version.model();
    this.file = file;
    rules = new FeatureDecoder.Rules(version.missingWords());
    means = new MeanContributions(model.features());
    if (file.rows() == 0) {
      throw new DataException("%s has no rows", file.name());
    }
    try {
      explainer =
          background == null
              ? Explainer.of(model)
              : Explainer.of(model, rows(version, background, null));
    } catch (IllegalArgumentException e) {
      throw new DataException("the model cannot be explained: %s", e.getMessage());
    }
  }

  /** All rows of a file, without labels; {@code environment} is a field or null. */
  public static Rows rows(LedgerVersion version, DataFile file, @Nullable String environment) {
    Model model = version.model();
    FeatureDecoder decoder =
        FileRows.decoder(file, model.features(), new FeatureDecoder.Rules(version.missingWords()));
    Rows.Builder rows = Rows.builder(model.features().size());
    double[] features = new double[model.features().size()];
    try (RowCursor cursor = file.open()) {
      FieldDecoder field =
          environment == null
              ? null
              : FieldDecoder.compile(file.schema(), List.of(FileRows.path(file, environment)));
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        cursor.features(decoder, body, features);
        String name = field == null ? "" : FieldDecoder.environment(field.decode(body, 0)[0]);
        rows.add(features, 0, name);
      }
    } catch (MalformedRecordException e) {
      throw new DataException("%s: %s", file.name(), e.getMessage());
    }
    if (rows.size() == 0) {
      throw new DataException("%s has no rows", file.name());
    }
    return rows.build();
  }

  /** Takes each row's explanations, one for each raw score, with its number from 1. */
  public void forEach(ObjLongConsumer<List<Explanation>> sink) {
    Model model = explainer.model();
    FeatureDecoder decoder = FileRows.decoder(file, model.features(), rules);
    double[] features = new double[model.features().size()];
    try (RowCursor cursor = file.open()) {
      long row = 1;
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        cursor.features(decoder, body, features);
        List<Explanation> explanations = explainer.explain(features);
        sink.accept(explanations, row++);
        means.add(explanations, 1);
      }
    }
  }

  /** After {@link #forEach}: the mean size of each feature's contributions. */
  public Importance importance() {
    return means.importance();
  }
}
