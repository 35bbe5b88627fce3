package io.holdfast.cli.learn;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.feature.CategoryDictionary;
import io.holdfast.schemas.feature.DatePart;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.feature.MissingWords;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.List;
import java.util.function.Predicate;

/**
 * The labelled rows of a file as a model sees them, how many rows have no label, and how many one
 * that is none of the classes.
 */
public record FileRows(Rows rows, long withoutLabel, UnknownLabels unknown) {
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  static final Predicate<String> ALL = environment -> true;

  /**
   * Reads rows of some environments to train on; new categories are added to {@code dictionary}.
   */
  static FileRows training(
      DataFile file,
      ModelSettings settings,
      List<Feature> features,
      CategoryDictionary dictionary,
      Predicate<String> environments) {
    FeatureDecoder decoder = decoder(file, features, rules(settings), dictionary);
    return read(file, settings, decoder, features.size(), environments, true)
        .orNoneIn(file, settings, environments.equals(ALL) ? "" : " that is not held out");
  }

  /** Reads a file to train on, with the categories that the features list and no others. */
  static FileRows training(DataFile file, ModelSettings settings, List<Feature> features) {
    return read(
            file, settings, decoder(file, features, rules(settings)), features.size(), ALL, true)
        .orNoneIn(file, settings, "");
  }

  /** Reads a file to test on: unknown categories are missing values, and anchors are not needed. */
  static FileRows test(DataFile file, ModelSettings settings, List<Feature> features) {
    return test(file, settings, features, ALL).orNoneIn(file, settings, "");
  }

  /** Reads the rows of some environments to test on; there may be none. */
  static FileRows test(
      DataFile file,
      ModelSettings settings,
      List<Feature> features,
      Predicate<String> environments) {
    FeatureDecoder decoder = decoder(file, features, rules(settings));
    return read(file, settings.withoutAnchors(), decoder, features.size(), environments, false);
  }

  long rowsRead() {
    return rows.size() + withoutLabel;
  }

  private static FeatureDecoder.Rules rules(ModelSettings settings) {
    return new FeatureDecoder.Rules(MissingWords.of(settings.features().missing()));
  }

  /** The decoder of a file's rows, whatever path each feature's column has there. */
  static FeatureDecoder decoder(DataFile file, List<Feature> features, FeatureDecoder.Rules rules) {
    List<Feature> there = features.stream().map(feature -> at(file, feature)).toList();
    try {
      return FeatureDecoder.compile(file.schema(), there, rules);
    } catch (MalformedRecordException e) {
      throw new DataException("%s: %s", file.name(), e.getMessage());
    }
  }

  private static FeatureDecoder decoder(
      DataFile file,
      List<Feature> features,
      FeatureDecoder.Rules rules,
      CategoryDictionary dictionary) {
    try {
      return FeatureDecoder.compile(file.schema(), features, rules, dictionary);
    } catch (MalformedRecordException e) {
      throw new DataException("%s: %s", file.name(), e.getMessage());
    }
  }

  static String path(DataFile file, String field) {
    return file.field(ColumnName.of(field)).orElse(field);
  }

  private static Feature at(DataFile file, Feature feature) {
    DatePart part = DatePart.in(feature.name());
    String path = path(file, DatePart.path(feature.name()));
    String name = part == null ? path : part.feature(path);
    return switch (feature) {
      case Feature.Numeric numeric -> numeric.named(name);
      case Feature.Categorical categorical -> categorical.named(name);
    };
  }

  private static void checkAnchors(ModelSettings settings, RowFields.Said said, RowCursor at) {
    for (int i = 0; i < said.anchors().length; i++) {
      if (!Double.isFinite(said.anchors()[i])) {
        throw new DataException(
            "%s: anchors must be finite numbers, and column %s has none",
            at.place(), ColumnName.of(settings.anchors().get(i)));
      }
    }
  }

  private static FileRows read(
      DataFile file,
      ModelSettings settings,
      FeatureDecoder decoder,
      int width,
      Predicate<String> environments,
      boolean toLearnFrom) {
    RowFields fields = RowFields.of(settings, file, false);
    Rows.Builder rows = Rows.builder(width, settings.anchors().size());
    if (environments.equals(ALL)) {
      checkMemory(file, width, Runtime.getRuntime().maxMemory());
      rows.expecting((int) file.rows());
    }
    double[] features = new double[width];
    long withoutLabel = 0;
    UnknownLabels unknown = new UnknownLabels();
    try (RowCursor cursor = file.open()) {
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        RowFields.Said said =
            toLearnFrom ? fields.learned(body, cursor) : fields.read(body, cursor);
        if (!environments.test(said.environment())) {
          continue;
        }
        if (said.unknown() != null) {
          unknown.add(said.unknown());
        } else if (said.label() == null) {
          withoutLabel++;
        } else {
          cursor.features(decoder, body, features);
          checkAnchors(settings, said, cursor);
          rows.add(features, said.label(), said.weight(), said.environment(), said.anchors());
        }
      }
    }
    return new FileRows(rows.build(), withoutLabel, unknown);
  }

  /** Throws DataException if the rows of a file do not fit: to learn, all must be there. */
  static void checkMemory(DataFile file, int width, long most) {
    long needed = file.rows() * width * Double.BYTES;
    if (needed > most || file.rows() * width > LARGEST_ARRAY) {
      throw new DataException(
          "%s has %,d rows of %d features, %,d MB, which do not fit into the %,d MB of memory that"
              + " there are for learning: give more with HOLDFAST_JAVA_OPTS=-Xmx, up to %,d rows,"
              + " or fewer rows",
          file.name(), file.rows(), width, needed >> 20, most >> 20, LARGEST_ARRAY / width);
    }
  }

  private FileRows orNoneIn(DataFile file, ModelSettings settings, String which) {
    if (rows.size() == 0) {
      throw new DataException(
          "%s has no row with a label in column %s%s",
          file.name(), ColumnName.of(settings.label()), which);
    }
    return this;
  }
}
