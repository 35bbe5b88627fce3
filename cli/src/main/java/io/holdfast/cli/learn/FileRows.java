package io.holdfast.cli.learn;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.cli.data.DataException;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.schemas.feature.CategoryDictionary;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The labelled rows of a file, as a model sees them.
 *
 * @param rows those with a label
 * @param withoutLabel how many have none
 */
public record FileRows(Rows rows, long withoutLabel) {

  /**
   * Reads a file to train on; categories that {@code dictionary} does not have are added to it.
   *
   * @throws DataException if a row cannot be read, or none has a label
   */
  static FileRows training(
      DataFile file,
      ModelSettings settings,
      List<Feature> features,
      CategoryDictionary dictionary) {
    return read(file, settings, decoder(file, features, dictionary), features.size());
  }

  /** Reads a file to test on; a category that no feature lists is a missing value. */
  static FileRows test(DataFile file, ModelSettings settings, List<Feature> features) {
    return read(file, settings, decoder(file, features, null), features.size());
  }

  /** The decoder of a file's rows. */
  static FeatureDecoder decoder(
      DataFile file, List<Feature> features, @Nullable CategoryDictionary dictionary) {
    try {
      return dictionary == null
          ? FeatureDecoder.compile(file.schema(), features)
          : FeatureDecoder.compile(file.schema(), features, dictionary);
    } catch (MalformedRecordException e) {
      throw new DataException("%s: %s", file.path(), e.getMessage());
    }
  }

  /** Decodes the features of the row that {@code at} gave. */
  static void decode(FeatureDecoder decoder, byte[] body, double[] features, RowCursor at) {
    try {
      decoder.decode(body, 0, features);
    } catch (MalformedRecordException e) {
      throw new DataException("%s cannot be decoded: %s", at.place(), e.getMessage());
    }
  }

  private static void checkAnchors(ModelSettings settings, RowFields.Said said, RowCursor at) {
    for (int i = 0; i < said.anchors().length; i++) {
      if (!Double.isFinite(said.anchors()[i])) {
        throw new DataException(
            "%s: anchors must be finite numbers, and column %s has none",
            at.place(), settings.anchors().get(i));
      }
    }
  }

  private static FileRows read(
      DataFile file, ModelSettings settings, FeatureDecoder decoder, int width) {
    RowFields fields = RowFields.of(settings, file.schema());
    Rows.Builder rows = Rows.builder(width, settings.anchors().size());
    double[] features = new double[width];
    long withoutLabel = 0;
    try (RowCursor cursor = file.open()) {
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        RowFields.Said said = fields.read(body, cursor);
        if (said.label() == null) {
          withoutLabel++;
        } else {
          decode(decoder, body, features, cursor);
          checkAnchors(settings, said, cursor);
          rows.add(features, said.label(), said.weight(), said.environment(), said.anchors());
        }
      }
    }
    if (rows.size() == 0) {
      throw new DataException(
          "%s has no row with a label in column %s", file.path(), settings.label());
    }
    return new FileRows(rows.build(), withoutLabel);
  }
}
