package io.holdfast.cli.validate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.cli.learn.FileRows;
import io.holdfast.cli.learn.OfflineTest.InEnvironment;
import io.holdfast.cli.learn.Recipe;
import io.holdfast.cli.learn.Recipe.Watch;
import io.holdfast.cli.validate.FoldSplit.Fold;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What models lose on rows that they did not see, fold by fold: the mean of the folds' losses and
 * their standard deviation, and all tested rows by environment, where there are such.
 */
public record CrossValidation(
    String cv,
    List<Tested> folds,
    double mean,
    double spread,
    @JsonInclude(Include.NON_NULL) @Nullable InEnvironment worst,
    List<InEnvironment> environments) {

  /** The rows that a model learned from, and how it did on those of a fold. */
  public record Tested(String fold, int trainedOn, @JsonUnwrapped Evaluation figures) {}

  /** A fold's test rows with the raw scores of the model that did not see them. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Scored(String fold, int trainedOn, Rows rows, Objective objective, double[] raw) {
    Evaluation figures(List<String> classes) {
      return Evaluation.of(Collections.nCopies(rows.size(), objective), rows, raw, classes);
    }
  }

  /** Fits to a fold's rows, or some of them, and scores its others; as the recipe is a function. */
  public static Scored score(Recipe recipe, List<Feature> features, Rows rows, Fold fold) {
    Rows train = rows.subset(fold.train());
    Model model = recipe.fit(features, train, null, Watch.NONE).fit().model();
    Rows test = known(features, train, rows.subset(fold.test()));
    return new Scored(
        fold.name(), train.size(), test, model.objective(), Scorer.of(model).scores(test));
  }

  /** Of the folds' scores. */
  public static CrossValidation of(FoldSplit split, Recipe recipe, List<Scored> folds) {
    List<String> classes = recipe.settings().classes();
    List<Tested> tested =
        folds.stream()
            .map(one -> new Tested(one.fold(), one.trainedOn(), one.figures(classes)))
            .toList();
    double[] losses = tested.stream().mapToDouble(one -> one.figures().loss()).toArray();
    double mean = Arrays.stream(losses).average().orElse(Double.NaN);
    double squares = Arrays.stream(losses).map(loss -> (loss - mean) * (loss - mean)).sum();
    List<InEnvironment> environments =
        recipe.settings().environment() == null ? List.of() : byEnvironment(folds, classes);
    return new CrossValidation(
        split.toString(),
        tested,
        mean,
        losses.length < 2 ? Double.NaN : Math.sqrt(squares / (losses.length - 1)),
        environments.stream()
            .max(Comparator.comparingDouble(one -> one.figures().loss()))
            .orElse(null),
        environments);
  }

  /**
   * Fits and scores each fold.
   *
   * @throws IllegalArgumentException in one sentence, if there is none, or as the recipe does
   */
  public static CrossValidation of(
      FoldSplit split, Recipe recipe, List<Feature> features, FileRows file, Runnable afterFold) {
    List<Scored> scored = new ArrayList<>();
    for (Fold fold : split.of(file)) {
      scored.add(score(recipe, features, file.rows(), fold));
      afterFold.run();
    }
    return of(split, recipe, scored);
  }

  /** All tested rows of an environment together, whatever fold they were in. */
  private static List<InEnvironment> byEnvironment(List<Scored> folds, List<String> classes) {
    int size = folds.stream().mapToInt(one -> one.rows().size()).sum();
    Rows first = folds.getFirst().rows();
    Rows.Builder all = Rows.builder(first.width());
    List<Objective> objectives = new ArrayList<>();
    double[] raw = new double[size * folds.getFirst().objective().outputs()];
    double[] values = new double[first.width()];
    int from = 0;
    for (Scored fold : folds) {
      Rows rows = fold.rows();
      for (int row = 0; row < rows.size(); row++) {
        rows.copyFeatures(row, values);
        String environment = rows.environments().get(rows.environment(row));
        all.add(values, rows.label(row), rows.weight(row), environment);
        objectives.add(fold.objective());
      }
      for (int output = 0; output * size < raw.length; output++) {
        System.arraycopy(fold.raw(), output * rows.size(), raw, output * size + from, rows.size());
      }
      from += rows.size();
    }
    return InEnvironment.of(Evaluation.byEnvironment(objectives, all.build(), raw, classes));
  }

  /**
   * The rows with categories that none of those learned from has as missing: as they are served.
   */
  private static Rows known(List<Feature> features, Rows learned, Rows rows) {
    BitSet[] codes = new BitSet[features.size()];
    boolean any = false;
    for (int column = 0; column < codes.length; column++) {
      if (features.get(column) instanceof Feature.Categorical) {
        codes[column] = codes(learned, column);
        any = true;
      }
    }
    if (!any) {
      return rows;
    }
    Rows.Builder known = Rows.builder(rows.width());
    double[] values = new double[rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      for (int column = 0; column < codes.length; column++) {
        boolean unknown =
            codes[column] != null
                && !Double.isNaN(values[column])
                && !codes[column].get((int) values[column]);
        values[column] = unknown ? Double.NaN : values[column];
      }
      String environment = rows.environments().get(rows.environment(row));
      known.add(values, rows.label(row), rows.weight(row), environment);
    }
    return known.build();
  }

  private static BitSet codes(Rows rows, int column) {
    BitSet codes = new BitSet();
    for (int row = 0; row < rows.size(); row++) {
      double value = rows.feature(row, column);
      if (!Double.isNaN(value)) {
        codes.set((int) value);
      }
    }
    return codes;
  }
}
