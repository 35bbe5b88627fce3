package io.holdfast.exchange.xgboost;

import io.holdfast.boosting.data.Feature;
import io.holdfast.exchange.document.Document;
import io.holdfast.exchange.foreign.CategoryCodes;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ForeignFeatures;
import io.holdfast.schemas.ColumnName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The features of an XGBoost model, and the categories of those that have any. Stateless. */
final class XgboostFeatures {
  private XgboostFeatures() {}

  /** Makes sense of a learner's features. */
  static ForeignFeatures of(Document learner, Document model, List<XgboostTree> trees, int most)
      throws ExchangeException {
    double said = learner.field("learner_model_param").field("num_feature").number();
    if (said < 1 || said > most || said != (int) said) {
      throw ExchangeException.of("the model must have 1 to %d features: %s", most, said);
    }
    int count = (int) said;
    List<Document> names = listed(learner, "feature_names", count);
    List<Document> types = listed(learner, "feature_types", count);
    List<@Nullable Set<Integer>> tested = tested(trees, count);
    List<Feature> features = new ArrayList<>();
    @Nullable CategoryCodes[] codes = new @Nullable CategoryCodes[count];
    for (int column = 0; column < count; column++) {
      String name = ColumnName.path(names.isEmpty() ? "f" + column : names.get(column).text());
      Set<Integer> ofTrees = tested.get(column);
      boolean categorical =
          ofTrees != null
              || (!types.isEmpty()
                  && Set.of("c", "categorical").contains(types.get(column).text()));
      if (categorical) {
        List<String> known = names(model, column);
        CategoryCodes ofFeature =
            known.isEmpty()
                ? CategoryCodes.numbers(name, ofTrees == null ? Set.of() : ofTrees, Set.of())
                : CategoryCodes.named(name, known);
        codes[column] = ofFeature;
        features.add(new Feature.Categorical(name, ofFeature.categories(), true));
      } else {
        features.add(new Feature.Numeric(name));
      }
    }
    return new ForeignFeatures(features, codes, IntStream.range(0, count).toArray());
  }

  private static List<Document> listed(Document learner, String key, int count)
      throws ExchangeException {
    Document found = learner.find(key);
    List<Document> items = found == null ? List.of() : found.items();
    if (!items.isEmpty() && items.size() != count) {
      throw ExchangeException.of(
          "the model must have %s of %d features, or none: %d", key, count, items.size());
    }
    return items;
  }

  /** The categories that nodes test, of each feature; null of one tested as a number, or never. */
  private static List<@Nullable Set<Integer>> tested(List<XgboostTree> trees, int count)
      throws ExchangeException {
    List<@Nullable Set<Integer>> tested = new ArrayList<>(Collections.nCopies(count, null));
    boolean[] numeric = new boolean[count];
    for (XgboostTree tree : trees) {
      for (int place = 0; place < tree.order().innerNodes(); place++) {
        int node = tree.order().inner(place);
        int column = tree.feature(node);
        if (column < 0 || column >= count) {
          throw ExchangeException.of(
              "node %d of %s tests feature %d, and the model has %d",
              node, tree.name(), column, count);
        }
        Set<Integer> codes = tested.get(column);
        numeric[column] |= !tree.categorical(node);
        if (tree.categorical(node)) {
          if (codes == null) {
            codes = new TreeSet<>();
            tested.set(column, codes);
          }
          Arrays.stream(tree.categories(node)).forEach(codes::add);
        }
        ExchangeException.require(
            !numeric[column] || codes == null,
            "feature %d of the model is tested as a number and as a category",
            column);
      }
    }
    return tested;
  }

  /**
   * The names of a feature's categories, which versions from 3 on have: texts one after the other
   * with the places where they end, or whole numbers.
   */
  private static List<String> names(Document model, int column) throws ExchangeException {
    Document cats = model.find("cats");
    Document all = cats == null ? null : cats.find("enc");
    if (all == null || all.items().size() <= column) {
      return List.of();
    }
    Document of = all.items().get(column);
    List<String> names = new ArrayList<>();
    Document ends = of.find("offsets");
    double[] values = of.find("values") == null ? new double[0] : of.field("values").numbers();
    if (ends == null) {
      for (double value : values) {
        names.add(new Document.Numeric(value).text());
      }
      return names;
    }
    byte[] bytes = new byte[values.length];
    for (int k = 0; k < bytes.length; k++) {
      bytes[k] = (byte) (int) values[k];
    }
    int[] offsets = ends.integers();
    for (int k = 1; k < offsets.length; k++) {
      if (offsets[k - 1] < 0 || offsets[k - 1] > offsets[k] || offsets[k] > bytes.length) {
        throw ExchangeException.of(
            "the names of the categories of feature %d end at %d, and have %d bytes",
            column, offsets[k], bytes.length);
      }
      names.add(
          new String(bytes, offsets[k - 1], offsets[k] - offsets[k - 1], StandardCharsets.UTF_8));
    }
    return names;
  }
}
