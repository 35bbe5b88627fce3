package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.input.InputFile;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.wire.FieldAliases;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/** Rows of a file, or of several. Immutable; may be read any number of times. */
public interface DataFile extends FileHeader {

  Schema schema();

  long rows();

  @Override
  default List<String> columns() {
    return schema().getFields().stream().map(field -> ColumnName.of(field.name())).toList();
  }

  @Override
  default Optional<String> field(String column) {
    return Stream.of(ColumnName.field(ColumnName.text(column)), ColumnName.path(column))
        .filter(path -> has(schema(), path))
        .findFirst();
  }

  private static boolean has(Schema rows, String path) {
    List<Schema> records = List.of(rows);
    for (String name : path.split("\\.", -1)) {
      records =
          records.stream()
              .filter(type -> type.getType() == Schema.Type.RECORD)
              .flatMap(type -> FieldAliases.find(type, name).stream())
              .map(Schema.Field::schema)
              .flatMap(type -> type.isUnion() ? type.getTypes().stream() : Stream.of(type))
              .toList();
    }
    return !records.isEmpty();
  }

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
    List<InputFile> files = files(source);
    InputFile text = asOne(source, files);
    return switch (files.getFirst().format()) {
      case CSV -> CsvFile.of(text, reading);
      case JSONL -> JsonFile.of(text, reading);
      case AVRO -> joined(source, files, reading, file -> AvroFile.of(file, reading));
      case PARQUET -> joined(source, files, reading, file -> ParquetFile.of(file, reading));
    };
  }

  private static DataFile joined(
      DataSource source,
      List<InputFile> files,
      Reading reading,
      Function<InputFile, DataFile> opened) {
    List<DataFile> all = files.stream().map(opened).toList();
    return all.size() == 1 ? all.getFirst() : JoinedFile.of(source.toString(), all, reading);
  }

  /** Files of text as one. */
  static InputFile asOne(DataSource source, List<InputFile> files) {
    return files.size() == 1 ? files.getFirst() : InputFile.joined(source.toString(), files);
  }

  /** The files of a source, which are of one format. */
  static List<InputFile> files(DataSource source) {
    List<InputFile> files = source.files();
    InputFile first = files.getFirst();
    for (InputFile file : files) {
      if (file.format() != first.format()) {
        throw new DataException(
            "%s is %s and %s is %s: files that are read as one are of one format",
            first, first.format(), file, file.format());
      }
    }
    return files;
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
}
