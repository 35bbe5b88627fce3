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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/**
 * The labelled rows of a file as a model sees them, how many rows have no label, and how many one
 * that is none of the classes.
 *
 * @param times of the rows, in the file's unit, if they were wanted and have a column; where it is
 *     missing that of the row before
 */
public record FileRows(Rows rows, long withoutLabel, UnknownLabels unknown, List<Double> times) {
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  public static final Predicate<String> ALL = environment -> true;

  /** Rows that all have labels. */
  public static FileRows of(Rows rows, List<Double> times) {
    return new FileRows(rows, 0, new UnknownLabels(), times);
  }

  /**
   * Reads rows of some environments to train on; new categories are added to {@code dictionary}.
   */
  static FileRows training(
      DataFile file,
      ModelSettings settings,
      List<Feature> features,
      CategoryDictionary dictionary,
      Predicate<String> environments,
      boolean timed) {
    FeatureDecoder decoder = decoder(file, features, rules(settings), dictionary);
    Read how = new Read(environments, true, timed && settings.time() != null);
    return read(file, settings, decoder, features.size(), how)
        .orNoneIn(file, settings, environments.equals(ALL) ? "" : " that is not held out");
  }

  /** Reads a file to train on, with the categories that the features list and no others. */
  static FileRows training(DataFile file, ModelSettings settings, List<Feature> features) {
    FeatureDecoder decoder = decoder(file, features, rules(settings));
    return read(file, settings, decoder, features.size(), new Read(ALL, true, false))
        .orNoneIn(file, settings, "");
  }

  /** Reads a file to test on: unknown categories are missing values, and anchors are not needed. */
  public static FileRows test(DataFile file, ModelSettings settings, List<Feature> features) {
    return test(file, settings, features, ALL).orNoneIn(file, settings, "");
  }

  /** Reads the rows of some environments to test on; there may be none. */
  static FileRows test(
      DataFile file,
      ModelSettings settings,
      List<Feature> features,
      Predicate<String> environments) {
    FeatureDecoder decoder = decoder(file, features, rules(settings));
    Read how = new Read(environments, false, false);
    return read(file, settings.withoutAnchors(), decoder, features.size(), how);
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

  /** Which rows are read, whether to learn from them, and whether with times. */
  private record Read(Predicate<String> environments, boolean toLearnFrom, boolean timed) {}

  private static FileRows read(
      DataFile file, ModelSettings settings, FeatureDecoder decoder, int width, Read how) {
    RowFields fields = RowFields.of(settings, file, how.timed());
    Rows.Builder rows = Rows.builder(width, settings.anchors().size());
    if (how.environments().equals(ALL)) {
      checkMemory(file, width, Runtime.getRuntime().maxMemory());
      rows.expecting((int) file.rows());
    }
    double[] features = new double[width];
    long withoutLabel = 0;
    UnknownLabels unknown = new UnknownLabels();
    List<Double> times = new ArrayList<>();
    double time = Double.NEGATIVE_INFINITY;
    try (RowCursor cursor = file.open()) {
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        RowFields.Said said =
            how.toLearnFrom() ? fields.learned(body, cursor) : fields.read(body, cursor);
        if (!how.environments().test(said.environment())) {
          continue;
        }
        time = Double.isNaN(said.time()) ? time : said.time();
        if (said.unknown() != null) {
          unknown.add(said.unknown());
        } else if (said.label() == null) {
          withoutLabel++;
        } else {
          cursor.features(decoder, body, features);
          checkAnchors(settings, said, cursor);
          rows.add(features, said.label(), said.weight(), said.environment(), said.anchors());
          if (how.timed()) {
            times.add(time);
          }
        }
      }
    }
    return new FileRows(rows.build(), withoutLabel, unknown, Collections.unmodifiableList(times));
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
