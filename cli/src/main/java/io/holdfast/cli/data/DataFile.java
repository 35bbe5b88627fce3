package io.holdfast.cli.data;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.avro.Schema;

/** A file of rows, CSV (also gzipped) or Avro. Immutable; may be read any number of times. */
public interface DataFile extends FileHeader {

  Schema schema();

  long rows();

  /** Throws DataException, with how to declare it, if a feature cannot be what it should be. */
  default void checkFeatures(Set<String> fields) {}

  /** What should be known of features: sentences. */
  default List<String> notes(Set<String> fields) {
    return List.of();
  }

  RowCursor open();

  /** Opens a file that decides by itself what its columns hold: one to train on. */
  static DataFile open(Path path, Reading reading) {
    requireFile(path);
    return isAvro(path) ? AvroFile.of(path, reading) : CsvFile.of(path, reading);
  }

  /**
   * Opens a file for a model, which says what columns hold; those of {@code text} are names too.
   */
  static DataFile held(Path path, FileContract contract, Set<String> text) {
    requireFile(path);
    contract.check(FileHeader.of(path));
    Set<String> names = new HashSet<>(text);
    names.addAll(contract.columns(FileContract.Kind.TEXT));
    return isAvro(path)
        ? AvroFile.of(path, new Reading(names, contract.missing()))
        : CsvFile.of(path, new Reading(names, contract.missing())).checkedBy(contract);
  }

  static void requireFile(Path path) {
    if (!Files.isRegularFile(path)) {
      throw new DataException(
          Files.exists(path) ? "%s is no file: name a CSV or Avro file" : "there is no file %s",
          path);
    }
  }

  static boolean isAvro(Path path) {
    return path.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".avro");
  }
}
