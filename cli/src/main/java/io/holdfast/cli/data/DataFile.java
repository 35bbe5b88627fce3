package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.input.InputFile;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;

/** Rows of a file, or of several. Immutable; may be read any number of times. */
public interface DataFile extends FileHeader {

  Schema schema();

  long rows();

  /** Throws DataException, with how to declare it, if a feature cannot be what it should be. */
  default void checkFeatures(Set<String> fields) {}

  /** What should be known of features: sentences. */
  default List<String> notes(Set<String> fields) {
    return List.of();
  }

  /** Throws DataException for the first cell, by columns, that is not what a model needs. */
  default void check(FileContract contract) {}

  RowCursor open();

  /** Opens a file that decides by itself what its columns hold: one to train on. */
  static DataFile open(DataSource source, Reading reading) {
    InputFile file = file(source);
    return switch (file.format()) {
      case CSV -> CsvFile.of(file, reading);
      case AVRO -> AvroFile.of(file, reading);
      case JSONL, PARQUET -> throw new DataException("%s cannot be read", file);
    };
  }

  /**
   * Opens a file for a model, which says what columns hold; those of {@code text} are names too.
   */
  static DataFile held(DataSource source, FileContract contract, Set<String> text) {
    contract.check(FileHeader.of(source));
    Set<String> names = new HashSet<>(text);
    names.addAll(contract.columns(FileContract.Kind.TEXT));
    DataFile file = open(source, new Reading(names, contract.missing()));
    file.check(contract);
    return file;
  }

  static InputFile file(DataSource source) {
    return source.files().getFirst();
  }
}
