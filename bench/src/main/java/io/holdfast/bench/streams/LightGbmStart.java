package io.holdfast.bench.streams;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import io.holdfast.bench.data.Task;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.peer.NativeRows;
import io.holdfast.bench.streams.ContinuedCommand.WindowLearner;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.cli.exchange.ImportedVersion;
import io.holdfast.cli.learn.OfflineRefit;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.learn.OfflineTrainer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A model of LightGBM with one output, and who goes on with it. Owned by one thread. */
final class LightGbmStart {
  private final List<Feature> features;
  private final Arena arena;
  private final LightGbm library;

  LightGbmStart(Task task, List<Feature> features, Arena arena) {
    this.features = features;
    this.arena = arena;
    library =
        new LightGbm(
            LightGbm.objective(task.objective())
                + " num_leaves=31 learning_rate=0.1 num_threads=1 verbosity=-1 deterministic=true"
                + " seed=1 refit_decay_rate=0.9 "
                + LightGbm.categories(features),
            arena);
  }

  /** A model of so many trees, as text. */
  String fitted(Rows rows, int rounds) {
    return library.text(trained(NativeRows.of(rows, arena), MemorySegment.NULL, rounds));
  }

  private MemorySegment trained(NativeRows rows, MemorySegment initialScores, int rounds) {
    MemorySegment data = library.newDataset(rows, MemorySegment.NULL);
    if (!initialScores.equals(MemorySegment.NULL)) {
      library.setInitialScores(data, initialScores, rows.rows());
    }
    MemorySegment booster = library.newBooster(data);
    for (int round = 0; round < rounds; round++) {
      library.update(booster);
    }
    return booster;
  }

  WindowLearner fixed(String model) {
    MemorySegment booster = library.newBooster(model);
    return rows -> sums(List.of(booster), rows);
  }

  /** Adds trees on each window, to what all before say of it. */
  WindowLearner continued(String model, int rounds) {
    List<MemorySegment> boosters = new ArrayList<>(List.of(library.newBooster(model)));
    return new WindowLearner() {
      @Override
      public double[] scores(Rows rows) {
        return sums(boosters, rows);
      }

      @Override
      public void learn(Rows rows) {
        MemorySegment before = arena.allocateFrom(JAVA_DOUBLE, sums(boosters, rows));
        boosters.add(trained(NativeRows.of(rows, arena), before, rounds));
      }
    };
  }

  /** Fits the leaf values again on each window; nine tenths of what they were stay. */
  WindowLearner refitted(String model) {
    return new WindowLearner() {
      private MemorySegment booster = library.newBooster(model);

      @Override
      public double[] scores(Rows rows) {
        return sums(List.of(booster), rows);
      }

      @Override
      public void learn(Rows rows) {
        NativeRows window = NativeRows.of(rows, arena);
        int trees = library.trees(booster);
        MemorySegment found = arena.allocate(JAVA_DOUBLE, (long) rows.size() * trees);
        library.leaves(booster, window, found);
        int[] leaves =
            IntStream.range(0, rows.size() * trees)
                .map(at -> (int) found.getAtIndex(JAVA_DOUBLE, at))
                .toArray();
        MemorySegment next = trained(window, MemorySegment.NULL, 0);
        library.refit(next, booster, leaves, rows.size());
        booster = next;
      }
    };
  }

  /** As the service goes on with an imported version, by the default settings. */
  WindowLearner holdfast(String model) throws IOException {
    Path file = Files.createTempFile("continued", ".txt");
    try {
      Files.writeString(file, model);
      LedgerVersion version = ImportedVersion.read(file);
      ModelSettings settings = OfflineRefit.settings(version, file);
      var trainer = new OfflineTrainer(settings, named(version), 0, version);
      return rows -> {
        double[] scores = new double[rows.size()];
        double[] values = new double[rows.width()];
        for (int row = 0; row < rows.size(); row++) {
          rows.copyFeatures(row, values);
          scores[row] = trainer.next(values, rows.label(row), "")[0];
        }
        return scores;
      };
    } finally {
      Files.delete(file);
    }
  }

  /** The features by the names of the model; LightGBM knows a category by its code alone. */
  private List<Feature> named(LedgerVersion version) {
    List<Feature> named = new ArrayList<>();
    for (int k = 0; k < features.size(); k++) {
      String name = version.model().features().get(k).name();
      named.add(
          switch (features.get(k)) {
            case Feature.Numeric _ -> new Feature.Numeric(name);
            case Feature.Categorical categorical ->
                new Feature.Categorical(
                    name,
                    IntStream.range(0, categorical.categories().size())
                        .mapToObj(Integer::toString)
                        .toList());
          });
    }
    return named;
  }

  private double[] sums(List<MemorySegment> boosters, Rows rows) {
    NativeRows matrix = NativeRows.of(rows, arena);
    MemorySegment scores = arena.allocate(JAVA_DOUBLE, rows.size());
    double[] sums = new double[rows.size()];
    for (MemorySegment booster : boosters) {
      library.predict(booster, matrix, scores);
      for (int row = 0; row < sums.length; row++) {
        sums[row] += scores.getAtIndex(JAVA_DOUBLE, row);
      }
    }
    return sums;
  }
}
