package io.holdfast.exchange.lightgbm;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Tree;
import io.holdfast.exchange.document.JsonText;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ExportedModel;
import io.holdfast.exchange.foreign.PlainTrees;
import io.holdfast.exchange.foreign.PlainTrees.PlainTree;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Models of ours as LightGBM's text, version 4 of the format. Of one model; not thread-safe.
 *
 * <p>The base is a first tree of one leaf for each raw score. Categories that go left are named,
 * and all else goes right there, missing values too: where ours go left, the children are swapped
 * and the other categories named.
 */
public final class LightGbmWriter {
  private static final int CATEGORICAL = 1;
  private static final int DEFAULT_LEFT = 2;
  private static final int ZERO_MISSING = 1 << 2;
  private static final int NAN_MISSING = 2 << 2;
  private static final int WORD = 32;

  /** What pandas takes for a number; with leading zeros it may be a text. */
  private static final Pattern WHOLE = Pattern.compile("0|-?[1-9][0-9]{0,17}");

  private final Model model;
  private final PlainTrees trees;
  private final Set<String> notes = new LinkedHashSet<>();

  private LightGbmWriter(Model model) throws ExchangeException {
    this.model = model;
    trees = PlainTrees.of(model, "LightGBM");
  }

  /** Writes a model, if LightGBM can say it. */
  public static ExportedModel write(Model model) throws ExchangeException {
    var writer = new LightGbmWriter(model);
    return ExportedModel.of(writer.text(), writer.notes);
  }

  private String text() throws ExchangeException {
    int outputs = model.base().outputs();
    List<String> blocks = new ArrayList<>();
    for (int k = 0; k < outputs; k++) {
      blocks.add(leaf(blocks.size(), model.base().intercept(k)));
    }
    List<List<PlainTree>> byOutput = IntStream.range(0, outputs).mapToObj(trees::of).toList();
    int rounds = byOutput.stream().mapToInt(List::size).max().orElse(0);
    for (int round = 0; round < rounds; round++) {
      for (List<PlainTree> ofOutput : byOutput) {
        blocks.add(
            round < ofOutput.size()
                ? tree(blocks.size(), ofOutput.get(round))
                : leaf(blocks.size(), 0));
      }
    }
    StringBuilder text = new StringBuilder();
    header(text, outputs);
    text.append("tree_sizes=")
        .append(each(blocks.size(), k -> blocks.get(k).getBytes(StandardCharsets.UTF_8).length))
        .append("\n\n");
    blocks.forEach(text::append);
    text.append("end of trees\n\nfeature_importances:\n\nparameters:\n");
    model.objective().parameters().forEach((key, value) -> parameter(text, key, value));
    text.append("\nend of parameters\n\npandas_categorical:").append(levels()).append('\n');
    return text.toString();
  }

  private void header(StringBuilder text, int outputs) throws ExchangeException {
    StringJoiner names = new StringJoiner(" ");
    for (Feature feature : model.features()) {
      String name = ColumnName.of(feature.name());
      if (name.chars().anyMatch(letter -> Character.isWhitespace(letter) || letter == '=')) {
        throw ExchangeException.of(
            "feature %s has a space or = in its name, which LightGBM cannot have", name);
      }
      names.add(name);
    }
    text.append("tree\nversion=v4\nnum_class=").append(outputs);
    text.append("\nnum_tree_per_iteration=").append(outputs);
    text.append("\nlabel_index=0\nmax_feature_idx=").append(model.features().size() - 1);
    text.append("\nobjective=").append(objective(outputs));
    text.append("\nfeature_names=").append(names);
    text.append("\nfeature_infos=").append(infos()).append('\n');
  }

  private String objective(int outputs) {
    return switch (model.objective().name()) {
      case "squared" -> "regression";
      case "absolute" -> "regression_l1";
      case "huber", "quantile", "poisson", "gamma", "tweedie" -> model.objective().name();
      case "logistic" -> "binary sigmoid:1";
      case "exponential" -> "binary sigmoid:2";
      case "beta" -> "cross_entropy";
      case "softmax" -> "multiclass num_class:" + outputs;
      default -> {
        notes.add(
            Sentence.of(
                "LightGBM has no link of objective %s: its predictions are raw scores.",
                model.objective().name()));
        yield "regression";
      }
    };
  }

  private static void parameter(StringBuilder text, String key, double value) {
    String theirs =
        switch (key) {
          case "delta", "alpha" -> "alpha";
          case "power" -> "tweedie_variance_power";
          default -> "";
        };
    if (!theirs.isEmpty()) {
      text.append('[').append(theirs).append(": ").append(value).append("]\n");
    }
  }

  /** The range of each number's thresholds, and the codes of each category. */
  private String infos() {
    StringJoiner infos = new StringJoiner(" ");
    List<TreeSet<Double>> thresholds = new ArrayList<>();
    model.features().forEach(_ -> thresholds.add(new TreeSet<>()));
    for (PlainTree tree : trees.all()) {
      for (int node = 0; node < tree.from().innerNodes(); node++) {
        thresholds.get(tree.from().feature(node)).add(tree.from().threshold(node));
      }
    }
    for (int column = 0; column < model.features().size(); column++) {
      int categories = PlainTrees.categories(model, column).size();
      TreeSet<Double> of = thresholds.get(column);
      infos.add(
          categories > 0
              ? each(categories, code -> code).replace(' ', ':')
              : of.isEmpty() ? "none" : "[" + of.first() + ":" + of.last() + "]");
    }
    return infos.toString();
  }

  private String levels() {
    List<List<?>> levels = new ArrayList<>();
    for (int column = 0; column < model.features().size(); column++) {
      List<String> categories = PlainTrees.categories(model, column);
      if (!categories.isEmpty()) {
        boolean whole = categories.stream().allMatch(level -> WHOLE.matcher(level).matches());
        levels.add(whole ? categories.stream().map(Long::valueOf).toList() : categories);
        if (whole) {
          notes.add(
              Sentence.of(
                  "the categories of feature %s are written as whole numbers, as pandas reads them"
                      + " from a file: a column of texts would match none",
                  model.features().get(column).name()));
        }
      }
    }
    return levels.isEmpty() ? "null" : JsonText.of(levels);
  }

  private static String leaf(int number, double value) {
    return "Tree="
        + number
        + "\nnum_leaves=1\nnum_cat=0\nsplit_feature=\nsplit_gain=\nthreshold=\n"
        + "decision_type=\nleft_child=\nright_child=\nleaf_value="
        + value
        + "\nleaf_weight=0\nleaf_count=0\ninternal_value=\ninternal_weight=\ninternal_count=\n"
        + "is_linear=0\nshrinkage=1\n\n\n";
  }

  /** One tree's nodes, line by line. */
  private static final class Lines {
    final List<String> thresholds = new ArrayList<>();
    final List<Integer> decisions = new ArrayList<>();
    final List<Integer> left = new ArrayList<>();
    final List<Integer> right = new ArrayList<>();
    final List<Integer> ends = new ArrayList<>(List.of(0));
    final List<Long> words = new ArrayList<>();

    void children(int first, int second) {
      left.add(first);
      right.add(second);
    }

    void categories(int[] codes) {
      int most = Arrays.stream(codes).max().orElse(0);
      long[] set = new long[most / WORD + 1];
      for (int code : codes) {
        set[code / WORD] |= 1L << (code % WORD);
      }
      thresholds.add(Integer.toString(ends.size() - 1));
      decisions.add(CATEGORICAL);
      Arrays.stream(set).forEach(words::add);
      ends.add(words.size());
    }
  }

  private String tree(int number, PlainTree plain) {
    Tree tree = plain.from();
    if (tree.innerNodes() == 0) {
      return leaf(number, plain.value(0));
    }
    Lines lines = new Lines();
    for (int node = 0; node < tree.innerNodes(); node++) {
      if (tree.categorical(node)) {
        category(lines, tree, node);
      } else {
        number(lines, tree, node);
      }
    }
    int nodes = tree.innerNodes();
    StringBuilder text = new StringBuilder("Tree=").append(number);
    line(text, "num_leaves", nodes + 1);
    line(text, "num_cat", lines.ends.size() - 1);
    line(text, "split_feature", each(nodes, tree::feature));
    line(text, "split_gain", each(nodes, node -> tree.hasStatistics() ? tree.gain(node) : 0));
    line(text, "threshold", String.join(" ", lines.thresholds));
    line(text, "decision_type", joined(lines.decisions));
    line(text, "left_child", joined(lines.left));
    line(text, "right_child", joined(lines.right));
    line(text, "leaf_value", each(nodes + 1, plain::value));
    line(text, "leaf_weight", each(nodes + 1, leaf -> cover(tree, leaf)));
    line(text, "leaf_count", each(nodes + 1, leaf -> Math.round(cover(tree, leaf))));
    line(text, "internal_value", each(nodes, _ -> 0));
    line(text, "internal_weight", each(nodes, _ -> 0));
    line(text, "internal_count", each(nodes, _ -> 0));
    if (lines.ends.size() > 1) {
      line(text, "cat_boundaries", joined(lines.ends));
      line(text, "cat_threshold", joined(lines.words));
    }
    line(text, "is_linear", 0);
    line(text, "shrinkage", 1);
    return text.append("\n\n\n").toString();
  }

  private static float cover(Tree tree, int leaf) {
    return tree.hasStatistics() ? tree.leafCover(leaf) : 0;
  }

  private static String joined(List<?> items) {
    return each(items.size(), items::get);
  }

  /** What is said of each node or leaf. */
  private static String each(int count, IntFunction<Object> said) {
    return IntStream.range(0, count)
        .mapToObj(place -> said.apply(place).toString())
        .collect(Collectors.joining(" "));
  }

  private static void line(StringBuilder text, String key, Object value) {
    text.append('\n').append(key).append('=').append(value);
  }

  private void number(Lines lines, Tree tree, int node) {
    boolean zero = PlainTrees.zeroMissing(model.features().get(tree.feature(node)));
    double threshold = tree.threshold(node);
    lines.thresholds.add(
        Double.isInfinite(threshold)
            ? (threshold > 0 ? "inf" : "-inf")
            : Double.toString(threshold));
    lines.decisions.add(
        (zero ? ZERO_MISSING : NAN_MISSING) + (tree.missingLeft(node) ? DEFAULT_LEFT : 0));
    lines.children(tree.left(node), tree.right(node));
  }

  private void category(Lines lines, Tree tree, int node) {
    int[] codes = trees.leftCodes(tree, node);
    if (!tree.missingLeft(node)) {
      lines.categories(codes);
      lines.children(tree.left(node), tree.right(node));
      return;
    }
    int categories = PlainTrees.categories(model, tree.feature(node)).size();
    lines.categories(
        IntStream.range(0, categories)
            .filter(code -> Arrays.binarySearch(codes, code) < 0)
            .toArray());
    lines.children(tree.right(node), tree.left(node));
    if (model.features().get(tree.feature(node)) instanceof Feature.Categorical feature
        && feature.otherCategory()) {
      notes.add(
          Sentence.of(
              "LightGBM takes a category of %s that training has not seen for missing; here it is"
                  + " another one.",
              ColumnName.of(feature.name())));
    }
  }
}
