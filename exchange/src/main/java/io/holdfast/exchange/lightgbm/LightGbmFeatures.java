package io.holdfast.exchange.lightgbm;

import io.holdfast.boosting.data.Feature;
import io.holdfast.exchange.document.Document;
import io.holdfast.exchange.document.JsonDocument;
import io.holdfast.exchange.foreign.CategoryCodes;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.feature.CategoryText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The features of a LightGBM model, and what its nodes take for missing. Immutable. */
final class LightGbmFeatures {
  /*
   * LightGBM's predictor turns what is at most 1e-35f in size into 0 before any node sees it. Below,
   * zero is that range, below and above the rest.
   *
   *   missing   zero goes       NaN goes        ours, for a feature whose zeros are   values | missing
   *   none      left if 0 <= t  as zero does    missing left if 0 <= t                 yes   | yes
   *   NaN       left if 0 <= t  default         missing left by default                yes   | if alike
   *   zero      default         default         missing left by default           if alike   | yes
   *
   * "If alike": where zero and NaN, or zero and its neighbours, go the same way. So zeros of a
   * feature are missing if some node needs it, and all its nodes can say so.
   */
  private final List<Feature> features;
  private final @Nullable CategoryCodes[] codes; // of each feature; null of numeric ones
  private final int[] columns; // where each feature of LightGBM's is here; -1 if it was left out

  private LightGbmFeatures(List<Feature> features, @Nullable CategoryCodes[] codes, int[] columns) {
    this.features = features;
    this.codes = codes;
    this.columns = columns;
  }

  /**
   * Makes sense of a model's features.
   *
   * @throws ExchangeException if there are none, or their nodes disagree
   */
  static LightGbmFeatures of(LightGbmFile file, int most) throws ExchangeException {
    String[] names = words(file, "feature_names");
    int count = names.length;
    long last =
        LightGbmNumbers.whole(
            "the model", "max_feature_idx", file.header().getOrDefault("max_feature_idx", ""));
    ExchangeException.require(
        count == last + 1, "the model must have names of %d features: %d", last + 1, count);
    String[] infos = words(file, "feature_infos");
    ExchangeException.require(
        infos.length == 0 || infos.length == count,
        "the model must have a feature_infos for each of %d features: %d",
        count,
        infos.length);
    Uses uses = new Uses(count);
    for (LightGbmTree tree : file.trees()) {
      uses.add(tree);
    }
    for (int column = 0; column < infos.length; column++) {
      uses.info(column, infos[column]);
    }
    List<List<String>> levels = levels(file.pandasCategorical());
    int[] level = uses.levels(levels);
    List<Feature> features = new ArrayList<>();
    @Nullable CategoryCodes[] codes = new @Nullable CategoryCodes[count];
    int[] columns = new int[count];
    for (int column = 0; column < count; column++) {
      columns[column] = count <= most || uses.used(column) ? features.size() : -1;
      if (columns[column] < 0) {
        continue;
      }
      String name = ColumnName.path(names[column]);
      if (uses.categorical[column]) {
        CategoryCodes ofFeature =
            level[column] >= 0
                ? CategoryCodes.named(name, levels.get(level[column]))
                : CategoryCodes.numbers(name, uses.tested(column), uses.known(column));
        codes[column] = ofFeature;
        features.add(new Feature.Categorical(name, ofFeature.categories()));
      } else {
        features.add(new Feature.Numeric(name, uses.zeroMissing(column, name)));
      }
    }
    return new LightGbmFeatures(features, codes, columns);
  }

  private static String[] words(LightGbmFile file, String key) {
    String line = file.header().getOrDefault(key, "");
    return line.isEmpty() ? new String[0] : line.split(" +", -1);
  }

  private static List<List<String>> levels(@Nullable String json) throws ExchangeException {
    if (json == null || json.isBlank() || json.strip().equals("null")) {
      return List.of();
    }
    List<List<String>> levels = new ArrayList<>();
    for (Document column : JsonDocument.parse(json, "pandas_categorical").items()) {
      List<String> names = new ArrayList<>();
      for (Document level : column.items()) {
        names.add(
            level instanceof Document.Numeric(double number)
                ? CategoryText.of(number)
                : level.text());
      }
      levels.add(names);
    }
    return levels;
  }

  /** What the nodes of each feature are. */
  private static final class Uses {
    final boolean[] categorical;
    private final boolean[] numeric;
    private final boolean[] constant;
    private final boolean[] needsMissing; // zeros must be missing
    private final boolean[] needsValues; // zeros must be values
    private final boolean[] zeroTyped; // some node takes zeros for missing
    private final boolean[] otherTyped; // some node does not
    private final List<Set<Integer>> tested = new ArrayList<>();
    private final List<Set<Integer>> known = new ArrayList<>();
    private final Set<String> ranges = new HashSet<>(); // of numbers

    Uses(int count) {
      categorical = new boolean[count];
      numeric = new boolean[count];
      constant = new boolean[count];
      needsMissing = new boolean[count];
      needsValues = new boolean[count];
      zeroTyped = new boolean[count];
      otherTyped = new boolean[count];
      for (int column = 0; column < count; column++) {
        tested.add(Set.of());
        known.add(Set.of());
      }
    }

    void add(LightGbmTree tree) throws ExchangeException {
      for (int node = 0; node < tree.nodes(); node++) {
        int column = tree.feature(node);
        ExchangeException.require(
            column >= 0 && column < categorical.length,
            "node %d of %s tests feature %d, and the model has %d",
            node,
            tree.name(),
            column,
            categorical.length);
        if (tree.categorical(node)) {
          categorical[column] = true;
          if (tested.get(column).isEmpty()) {
            tested.set(column, new TreeSet<>());
          }
          for (int code : tree.codes(node)) {
            tested.get(column).add(code);
          }
        } else {
          numeric[column] = true;
          number(column, tree.missing(node), tree.defaultLeft(node), 0 <= tree.threshold(node));
        }
      }
    }

    private void number(
        int column, LightGbmTree.Missing missing, boolean defaultLeft, boolean zeroLeft) {
      boolean alike = defaultLeft == zeroLeft;
      needsMissing[column] |= missing == LightGbmTree.Missing.ZERO && !alike;
      needsValues[column] |= missing == LightGbmTree.Missing.NAN && !alike;
      zeroTyped[column] |= missing == LightGbmTree.Missing.ZERO;
      otherTyped[column] |= missing != LightGbmTree.Missing.ZERO;
    }

    /** {@code [0:9.5]} of a number, {@code 3:0:1} of categories, {@code none} of a constant. */
    void info(int column, String info) throws ExchangeException {
      constant[column] = info.equals("none");
      if (constant[column] || info.startsWith("[")) {
        ranges.add(info);
        return;
      }
      categorical[column] = true;
      Set<Integer> codes = new HashSet<>();
      for (String code : info.split(":", -1)) {
        long value = LightGbmNumbers.whole("the model", "feature_infos", code);
        if (value >= 0 && value == (int) value) {
          codes.add((int) value);
        }
      }
      known.set(column, codes);
    }

    boolean used(int column) {
      return numeric[column] || !tested.get(column).isEmpty();
    }

    Set<Integer> tested(int column) {
      return tested.get(column);
    }

    Set<Integer> known(int column) {
      return known.get(column);
    }

    boolean zeroMissing(int column, String name) throws ExchangeException {
      ExchangeException.require(
          !(needsMissing[column] && needsValues[column]),
          "some trees take a zero of feature %s for missing and others do not, which no model here"
              + " can: train all of them with one zero_as_missing",
          name);
      return needsMissing[column] || (zeroTyped[column] && !otherTyped[column]);
    }

    /** Whether a feature that is taken for numbers has the range of these levels' codes. */
    private boolean mayBeOfANumber(List<String> levels) {
      return ranges.contains("[0:" + (levels.size() - 1) + "]");
    }

    /** Which of pandas' lists each feature has; -1 for none. */
    int[] levels(List<List<String>> levels) throws ExchangeException {
      int[] place = new int[categorical.length];
      Arrays.fill(place, -1);
      List<Integer> exact = new ArrayList<>();
      List<Integer> withConstant = new ArrayList<>();
      for (int column = 0; column < categorical.length; column++) {
        ExchangeException.require(
            !(categorical[column] && numeric[column]),
            "feature %d of the model is tested as a number and as a category",
            column);
        if (categorical[column]) {
          exact.add(column);
        }
        if (categorical[column] || constant[column]) {
          withConstant.add(column);
        }
      }
      if (levels.isEmpty()) {
        return place;
      }
      boolean told = levels.size() == exact.size();
      List<Integer> columns = told ? exact : withConstant;
      ExchangeException.require(
          columns.size() == levels.size()
              && (told || levels.stream().noneMatch(this::mayBeOfANumber)),
          "the model has pandas_categorical of %d columns and %d categorical features, so it cannot"
              + " be told whose levels are whose: train it with unordered categories of pandas alone",
          levels.size(),
          exact.size());
      for (int k = 0; k < levels.size(); k++) {
        int column = columns.get(k);
        place[column] = k;
        Set<Integer> codes = new TreeSet<>(tested.get(column));
        codes.addAll(known.get(column));
        for (int code : codes) {
          ExchangeException.require(
              code < levels.get(k).size(),
              "feature %d of the model has a category %d, and pandas_categorical has %d levels of it",
              column,
              code,
              levels.get(k).size());
        }
      }
      return place;
    }
  }

  /** Our features, in order. */
  List<Feature> features() {
    return features;
  }

  /** Where a feature of LightGBM's is here. */
  int column(int feature) {
    return columns[feature];
  }

  /** Our codes of the categories of one of LightGBM's features. */
  int[] codes(int feature, int[] theirs) {
    CategoryCodes ofFeature = codes[feature];
    return ofFeature == null ? theirs : ofFeature.of(theirs);
  }
}
