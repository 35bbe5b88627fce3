package io.holdfast.cli.tune;

import io.holdfast.boosting.data.Feature;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.learn.FileRows;
import io.holdfast.cli.learn.Recipe;
import io.holdfast.cli.learn.Recipe.Robustly;
import io.holdfast.cli.validate.CrossValidation;
import io.holdfast.cli.validate.CrossValidation.Scored;
import io.holdfast.cli.validate.FoldSplit;
import io.holdfast.cli.validate.FoldSplit.Fold;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Fits by folds. With some of the rows, each fold learns from a share of its own, drawn once, and
 * tests on all of its others. Fits share out the threads, which change no result.
 */
final class FoldTrials implements Trials {
  private final List<Feature> features;
  private final FileRows file;
  private final FoldSplit split;
  private final List<Fold> folds;
  private final boolean byWorst;
  private final int threads;
  private final double[] draws; // by row: it is among a share above that

  FoldTrials(
      List<Feature> features,
      FileRows file,
      FoldSplit split,
      boolean byWorst,
      long seed,
      int threads) {
    this.features = features;
    this.file = file;
    this.split = split;
    this.byWorst = byWorst;
    this.threads = threads;
    folds = split.of(file);
    var random = new SplittableRandom(seed);
    draws = random.doubles(file.rows().size()).toArray();
  }

  @Override
  public List<Trial> run(List<Candidate> candidates, long rows) {
    double share = (double) rows / file.rows().size();
    List<Fold> some = folds.stream().map(fold -> some(fold, share)).toList();
    List<Callable<Scored>> fits = new ArrayList<>();
    for (Candidate candidate : candidates) {
      Recipe recipe = recipe(candidate);
      some.forEach(
          fold -> fits.add(() -> CrossValidation.score(recipe, features, file.rows(), fold)));
    }
    List<Scored> scored = all(fits);
    List<Trial> trials = new ArrayList<>();
    for (int k = 0; k < candidates.size(); k++) {
      List<Scored> own = scored.subList(k * some.size(), (k + 1) * some.size());
      trials.add(trial(candidates.get(k), rows, own));
    }
    return trials;
  }

  private static Recipe recipe(Candidate candidate) {
    return Recipe.of(candidate.settings(), new Robustly.AsSet());
  }

  private Trial trial(Candidate candidate, long rows, List<Scored> scored) {
    CrossValidation of = CrossValidation.of(split, recipe(candidate), scored);
    double loss = byWorst && of.worst() != null ? of.worst().figures().loss() : of.mean();
    List<Double> losses = of.folds().stream().map(one -> one.figures().loss()).toList();
    return new Trial(candidate.number(), rows, loss, losses);
  }

  /** The fold with a share of what it learns from, of which there is at least one row. */
  private Fold some(Fold fold, double share) {
    int[] train = Arrays.stream(fold.train()).filter(row -> draws[row] < share).toArray();
    return train.length == 0 ? fold : new Fold(fold.name(), train, fold.test());
  }

  private List<Scored> all(List<Callable<Scored>> fits) {
    List<Scored> scored = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (Future<Scored> one : pool.invokeAll(fits)) {
        scored.add(one.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllegalArgumentException mistake) {
        throw new DataException("no fit came of these settings: %s", mistake.getMessage());
      }
      throw new IllegalStateException(e.getCause());
    }
    return scored;
  }
}
