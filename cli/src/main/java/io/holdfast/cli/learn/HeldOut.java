package io.holdfast.cli.learn;

import io.holdfast.boosting.EarlyStopping;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.cli.data.DataException;
import io.holdfast.cli.data.DataFile;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The rows that tell when to stop, and how.
 *
 * @param rows where they are
 * @param criterion what is made of the losses of their environments
 * @param patience rounds without improvement that end training
 */
public record HeldOut(Source rows, EarlyStopping.Criterion criterion, int patience) {

  /** Where rows held out are. */
  public sealed interface Source {
    /** In a file of their own. */
    record Apart(DataFile file) implements Source {}

    /** In the file to train on, in these environments. */
    record Environments(Set<String> names) implements Source {
      public Environments {
        names = Set.copyOf(names);
      }
    }
  }

  /** The environments that are trained on. */
  Predicate<String> trainedOn() {
    return switch (rows) {
      case Source.Apart _ -> FileRows.ALL;
      case Source.Environments(Set<String> names) -> environment -> !names.contains(environment);
    };
  }

  /**
   * Reads the rows.
   *
   * @param training the file that is trained on
   * @throws DataException if one cannot be read, or an environment has no row
   */
  EarlyStopping stopping(DataFile training, ModelSettings settings, List<Feature> features) {
    FileRows read =
        switch (rows) {
          case Source.Apart(DataFile file) -> FileRows.test(file, settings, features);
          case Source.Environments(Set<String> names) -> {
            FileRows some = FileRows.test(training, settings, features, names::contains);
            checkAllThere(names, some.rows(), training);
            yield some;
          }
        };
    return new EarlyStopping(read.rows(), criterion, patience);
  }

  private static void checkAllThere(Set<String> names, Rows rows, DataFile file) {
    List<String> missing = new ArrayList<>(names);
    missing.removeAll(rows.environments());
    if (!missing.isEmpty()) {
      missing.sort(null);
      throw new DataException(
          "%s has no labelled row of the environment to hold out %s",
          file.path(), missing.getFirst());
    }
  }
}
