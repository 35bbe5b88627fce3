package io.holdfast.cli.learn;

import io.holdfast.boosting.EarlyStopping;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.learn.ModelColumns.HeldFile;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The rows that tell when to stop, by which loss, and after how many rounds without improvement.
 */
public record HeldOut(Source rows, EarlyStopping.Criterion criterion, int patience) {

  public sealed interface Source {
    record Apart(DataSource file) implements Source {}

    /** In the file to train on, in these environments. */
    record Environments(Set<String> names) implements Source {
      public Environments {
        names = Set.copyOf(names);
      }
    }
  }

  Predicate<String> trainedOn() {
    return switch (rows) {
      case Source.Apart _ -> FileRows.ALL;
      case Source.Environments(Set<String> names) -> environment -> !names.contains(environment);
    };
  }

  Stopping stopping(
      DataFile training, ModelSettings settings, List<Feature> features, ModelColumns columns) {
    List<String> notes = new ArrayList<>();
    FileRows read =
        switch (rows) {
          case Source.Apart(DataSource path) -> {
            HeldFile held = columns.open(path);
            notes.addAll(held.unseen().notes());
            FileRows apart = FileRows.test(held.file(), settings, features);
            notes.addAll(
                apart.unknown().notes(held.file().name(), ClassLabels.of(settings.classes())));
            yield apart;
          }
          case Source.Environments(Set<String> names) -> {
            FileRows some = FileRows.test(training, settings, features, names::contains);
            checkAllThere(names, some.rows(), training);
            yield some;
          }
        };
    return new Stopping(new EarlyStopping(read.rows(), criterion, patience), notes);
  }

  record Stopping(EarlyStopping early, List<String> notes) {}

  private static void checkAllThere(Set<String> names, Rows rows, DataFile file) {
    List<String> missing = new ArrayList<>(names);
    missing.removeAll(rows.environments());
    if (!missing.isEmpty()) {
      missing.sort(null);
      throw new DataException(
          "%s has no labelled row of the environment to hold out %s",
          file.name(), missing.getFirst());
    }
  }
}
