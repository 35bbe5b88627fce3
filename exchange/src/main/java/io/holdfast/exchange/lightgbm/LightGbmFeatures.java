package io.holdfast.exchange.lightgbm;

import io.holdfast.boosting.data.Feature;
import io.holdfast.exchange.document.Document;
import io.holdfast.exchange.document.JsonDocument;
import io.holdfast.exchange.foreign.CategoryCodes;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ForeignFeatures;
import io.holdfast.schemas.CategoryText;
import io.holdfast.schemas.ColumnName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The features of a LightGBM model, and what its nodes take for missing. Stateless. */
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
  private LightGbmFeatures() {}

  /** Makes sense of a model's features; of more than {@code most}, of those that are tested. */
  static ForeignFeatures of(LightGbmFile file, int most) throws ExchangeException {
    String[] names = words(file, "feature_names");
    int count = names.length;
    long last =
        LightGbmNumbers.whole(
            "the model", "max_feature_idx", file.header().getOrDefault("max_feature_idx", ""));
    ExchangeException.require(
        count == last + 1, "the model must have names of %d features: %d", last + 1, count);
    String[] infos = words(file, "feature_infos");
    if (infos.length != 0 && infos.length != count) {
      throw ExchangeException.of(
          "the model must have a feature_infos for each of %d features: %d", count, infos.length);
    }
    List<Use> uses = Stream.generate(Use::new).limit(count).toList();
    for (LightGbmTree tree : file.trees()) {
      add(tree, uses);
    }
    for (int column = 0; column < infos.length; column++) {
      uses.get(column).info(infos[column]);
    }
    List<List<String>> levels = levels(file.pandasCategorical());
    int[] level = places(levels, uses, List.of(infos));
    List<Feature> features = new ArrayList<>();
    @Nullable CategoryCodes[] codes = new @Nullable CategoryCodes[count];
    int[] columns = new int[count];
    for (int column = 0; column < count; column++) {
      Use use = uses.get(column);
      boolean kept = count <= most || use.numeric || !use.tested.isEmpty();
      columns[column] = kept ? features.size() : -1;
      if (!kept) {
        continue;
      }
      String name = ColumnName.path(names[column]);
      if (use.categorical) {
        CategoryCodes ofFeature =
            level[column] >= 0
                ? CategoryCodes.named(name, levels.get(level[column]))
                : CategoryCodes.numbers(name, use.tested, use.known);
        codes[column] = ofFeature;
        features.add(new Feature.Categorical(name, ofFeature.categories()));
      } else {
        features.add(new Feature.Numeric(name, use.zeroMissing(name)));
      }
    }
    return new ForeignFeatures(features, codes, columns);
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

  /** What the nodes of one feature are. */
  private static final class Use {
    boolean categorical;
    boolean numeric;
    boolean constant;
    boolean needsMissing; // zeros must be missing
    boolean needsValues; // zeros must be values
    boolean zeroTyped; // some node takes zeros for missing
    boolean otherTyped; // some node does not
    final Set<Integer> tested = new TreeSet<>();
    final Set<Integer> known = new HashSet<>();

    void number(LightGbmTree.Missing missing, boolean defaultLeft, boolean zeroLeft) {
      boolean alike = defaultLeft == zeroLeft;
      numeric = true;
      needsMissing |= missing == LightGbmTree.Missing.ZERO && !alike;
      needsValues |= missing == LightGbmTree.Missing.NAN && !alike;
      zeroTyped |= missing == LightGbmTree.Missing.ZERO;
      otherTyped |= missing != LightGbmTree.Missing.ZERO;
    }

    /** {@code [0:9.5]} of a number, {@code 3:0:1} of categories, {@code none} of a constant. */
    void info(String info) throws ExchangeException {
      constant = info.equals("none");
      if (constant || info.startsWith("[")) {
        return;
      }
      categorical = true;
      for (String code : info.split(":", -1)) {
        long value = LightGbmNumbers.whole("the model", "feature_infos", code);
        if (value >= 0 && value == (int) value) {
          known.add((int) value);
        }
      }
    }

    boolean zeroMissing(String name) throws ExchangeException {
      if (needsMissing && needsValues) {
        throw ExchangeException.of(
            "some trees take a zero of feature %s for missing and others do not, which no model"
                + " here can: train all of them with one zero_as_missing",
            name);
      }
      return needsMissing || (zeroTyped && !otherTyped);
    }
  }

  private static void add(LightGbmTree tree, List<Use> uses) throws ExchangeException {
    for (int node = 0; node < tree.nodes(); node++) {
      int column = tree.feature(node);
      if (column < 0 || column >= uses.size()) {
        throw ExchangeException.of(
            "node %d of %s tests feature %d, and the model has %d",
            node, tree.name(), column, uses.size());
      }
      Use use = uses.get(column);
      if (tree.categorical(node)) {
        use.categorical = true;
        Arrays.stream(tree.codes(node)).forEach(use.tested::add);
      } else {
        use.number(tree.missing(node), tree.defaultLeft(node), 0 <= tree.threshold(node));
      }
    }
  }

  /** Which of pandas' lists each feature has; -1 for none. */
  private static int[] places(List<List<String>> levels, List<Use> uses, List<String> infos)
      throws ExchangeException {
    int[] place = new int[uses.size()];
    Arrays.fill(place, -1);
    List<Integer> exact = new ArrayList<>();
    List<Integer> withConstant = new ArrayList<>();
    for (int column = 0; column < uses.size(); column++) {
      Use use = uses.get(column);
      if (use.categorical && use.numeric) {
        throw ExchangeException.of(
            "feature %d of the model is tested as a number and as a category", column);
      }
      if (use.categorical) {
        exact.add(column);
      }
      if (use.categorical || use.constant) {
        withConstant.add(column);
      }
    }
    if (levels.isEmpty()) {
      return place;
    }
    boolean told = levels.size() == exact.size();
    List<Integer> columns = told ? exact : withConstant;
    // A feature that counts as numeric may have the range of some levels' codes.
    if (columns.size() != levels.size()
        || (!told
            && levels.stream().anyMatch(of -> infos.contains("[0:" + (of.size() - 1) + "]")))) {
      throw ExchangeException.of(
          "the model has pandas_categorical of %d columns and %d categorical features, so it cannot"
              + " be told whose levels are whose: train it with unordered categories of pandas"
              + " alone",
          levels.size(), exact.size());
    }
    for (int k = 0; k < levels.size(); k++) {
      int column = columns.get(k);
      place[column] = k;
      Set<Integer> codes = new TreeSet<>(uses.get(column).tested);
      codes.addAll(uses.get(column).known);
      for (int code : codes) {
        if (code >= levels.get(k).size()) {
          throw ExchangeException.of(
              "feature %d of the model has a category %d, and pandas_categorical has %d levels of"
                  + " it",
              column, code, levels.get(k).size());
        }
      }
    }
    return place;
  }
}
