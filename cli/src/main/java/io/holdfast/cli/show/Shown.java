package io.holdfast.cli.show;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.explain.Importance;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Tree;
import io.holdfast.cli.measure.CalibrationGroups;
import io.holdfast.cli.measure.FeatureWeight;
import io.holdfast.cli.print.Json;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerVersion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a model is, and with {@code data} what it does; {@code importance} has the features that are
 * worth most first.
 */
record Shown(
    Path file,
    String model,
    long version,
    Digest hash,
    String objective,
    @JsonInclude(Include.NON_EMPTY) List<String> classes,
    double gamma,
    int linearTerms,
    Forest forest,
    List<Weight> importance,
    @JsonInclude(Include.NON_NULL) @Nullable Data data,
    List<TreeNode> trees,
    List<OffsetRange> window,
    List<String> environments,
    JsonNode settings,
    String programVersion) {

  /** All trees in a few numbers. */
  record Forest(int trees, int leaves, int fewestLeaves, int mostLeaves, int deepest) {
    static Forest of(List<Tree> trees) {
      var leaves = trees.stream().mapToInt(Tree::leaves).summaryStatistics();
      return new Forest(
          trees.size(),
          (int) leaves.getSum(),
          trees.isEmpty() ? 0 : leaves.getMin(),
          trees.isEmpty() ? 0 : leaves.getMax(),
          trees.stream()
              .mapToInt(tree -> tree.innerNodes() == 0 ? 0 : depth(tree, 0))
              .max()
              .orElse(0));
    }

    private static int depth(Tree tree, int node) {
      return node < 0
          ? 0
          : 1 + Math.max(depth(tree, tree.left(node)), depth(tree, tree.right(node)));
    }
  }

  private static final CalibrationGroups.Mean UNKNOWN =
      new CalibrationGroups.Mean(Double.NaN, Double.NaN, Double.NaN);

  /**
   * What a feature is worth: gain and splits of training; of the rows the rise of the loss when its
   * values are shuffled, and the mean size of its Shapley values. NaN: not known.
   */
  record Weight(
      @JsonUnwrapped FeatureWeight training, CalibrationGroups.Mean permutation, double shapley) {
    String feature() {
      return training.feature();
    }
  }

  /** How a model does on a file's labelled rows; some figures are of evenly drawn ones. */
  record Data(
      String file,
      int rows,
      int sampledRows,
      double loss,
      Map<String, Double> metrics,
      List<InEnvironment> environments,
      List<CalibrationGroups.Group> calibration,
      List<Dependence> dependence) {}

  record InEnvironment(
      String environment,
      int rows,
      double loss,
      double lower,
      double upper,
      Map<String, Double> metrics) {}

  record Dependence(String feature, boolean categorical, List<Point> points) {}

  /** Mean predictions, one a class if there are more than two; {@code at} is null if missing. */
  record Point(@Nullable Object at, List<Double> mean, List<Double> lower, List<Double> upper) {}

  /** Of a version; {@code rows} is what rows tell of it, from {@code data}; null if none came. */
  static Shown of(
      Path file, LedgerVersion version, @Nullable String data, @Nullable Insights rows, int drawn) {
    Model model = version.model();
    var manifest = version.manifest();
    List<Tree> trees = model.segments().stream().flatMap(one -> one.trees().stream()).toList();
    List<String> classes = version.classes().names();
    List<Weight> weights = weights(model, rows);
    return new Shown(
        file,
        manifest.getModel(),
        version.number(),
        version.hash(),
        model.objective().name(),
        classes,
        version.servedGamma(),
        model.base().terms().size(),
        Forest.of(trees),
        weights,
        rows == null || data == null ? null : data(data, model, rows, weights, classes),
        trees.stream().limit(drawn).map(tree -> TreeNode.of(tree, model.features())).toList(),
        manifest.getWindow(),
        manifest.getEnvironments(),
        Json.parse(manifest.getSettings()),
        manifest.getProgramVersion());
  }

  private static final int MOST_CURVES = 12;

  private static Data data(
      String name, Model model, Insights rows, List<Weight> weights, List<String> classes) {
    Evaluation all = rows.all(classes);
    List<String> columns = columns(model);
    return new Data(
        name,
        all.rows(),
        rows.sampled(),
        all.loss(),
        all.metrics(),
        rows.environments(classes),
        rows.calibration(),
        weights.stream()
            .limit(MOST_CURVES)
            .map(weight -> rows.dependence(columns.indexOf(weight.feature())))
            .toList());
  }

  private static List<Weight> weights(Model model, @Nullable Insights rows) {
    Importance shapley = rows == null ? null : rows.shapley();
    List<String> columns = columns(model);
    List<Weight> weights = new ArrayList<>();
    for (FeatureWeight weight : FeatureWeight.of(model)) {
      int column = columns.indexOf(weight.feature());
      weights.add(
          new Weight(
              weight,
              rows == null ? UNKNOWN : rows.permutation(column),
              shapley == null ? Double.NaN : shapley.entries().get(column).value()));
    }
    return weights;
  }

  private static List<String> columns(Model model) {
    return model.features().stream().map(feature -> ColumnName.of(feature.name())).toList();
  }
}
