package io.holdfast.cli.learn;

import io.holdfast.boosting.data.Feature;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.feature.MissingWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts the cells of a file whose category a model has never seen, by column. Not thread-safe. */
public final class UnseenCategories {
  /** From so many cells on, this share of unseen ones tells that a column is of another kind. */
  private static final int FEWEST = 20;

  private static final double NEARLY_ALL = 0.9;
  private static final int MOST_SHOWN = 5;

  private final DataFile file;
  private final List<Feature> features;
  private final long[] cells;
  private final long[] unseen;
  private final @Nullable String[] first;
  private @Nullable RowCursor at;

  UnseenCategories(DataFile file, List<Feature> features, MissingWords missing) {
    this.file = file;
    this.features = features;
    cells = new long[features.size()];
    unseen = new long[features.size()];
    first = new @Nullable String[features.size()];
    if (features.stream().allMatch(Feature.Numeric.class::isInstance)) {
      return;
    }
    double[] values = new double[features.size()];
    long[] before = new long[features.size()];
    try (RowCursor cursor = file.open()) {
      FeatureDecoder decoder =
          FileRows.decoder(file, features, new FeatureDecoder.Rules(missing, this::unseen));
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        at = cursor;
        System.arraycopy(unseen, 0, before, 0, unseen.length);
        cursor.features(decoder, body, values);
        for (int i = 0; i < values.length; i++) {
          cells[i] += !Double.isNaN(values[i]) || unseen[i] > before[i] ? 1 : 0;
        }
      }
    }
  }

  private void unseen(int feature, String category) {
    if (unseen[feature]++ == 0) {
      String place = at == null ? "" : at.place();
      String path = file.name() + ", ";
      first[feature] =
          Sentence.of(
              "%s in %s",
              shown(category), place.startsWith(path) ? place.substring(path.length()) : place);
    }
  }

  private static String shown(String category) {
    return category.length() > 40 ? category.substring(0, 40) + "…" : category;
  }

  /** How many cells there are, by column; only columns that have some. */
  public Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (int i = 0; i < unseen.length; i++) {
      if (unseen[i] > 0) {
        counts.put(ColumnName.of(features.get(i).name()), unseen[i]);
      }
    }
    return counts;
  }

  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (int i = 0; i < unseen.length; i++) {
      if (unseen[i] > 0) {
        notes.add(
            Sentence.of(
                "%s: %,d of the %,d values of column %s are categories that the model has never"
                    + " seen (the first is %s) and count as missing",
                file.name(), unseen[i], cells[i], ColumnName.of(features.get(i).name()), first[i]));
      }
    }
    return notes;
  }

  /** Throws DataException if nearly all categories of a column are new, unless it is allowed. */
  void check(Set<String> allowed) {
    for (int i = 0; i < unseen.length; i++) {
      String column = ColumnName.of(features.get(i).name());
      if (unseen[i] >= FEWEST
          && unseen[i] >= NEARLY_ALL * cells[i]
          && !allowed.contains(column)
          && features.get(i)
              instanceof Feature.Categorical(String _, List<String> known, boolean other)
          && !other) {
        throw new DataException(
            "%s: %,d of the %,d values of column %s are categories that the model has never seen"
                + " (the first is %s; it knows %s): write them as in training, or have them count"
                + " as missing with --allow-unseen %s",
            file.name(), unseen[i], cells[i], column, first[i], some(known), column);
      }
    }
  }

  private static String some(List<String> known) {
    List<String> shown = known.stream().limit(MOST_SHOWN).map(UnseenCategories::shown).toList();
    return known.isEmpty()
        ? "none"
        : String.join(", ", shown)
            + (known.size() > MOST_SHOWN ? " and " + (known.size() - MOST_SHOWN) + " more" : "");
  }
}
