package io.holdfast.cli.data;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a file says of its columns before any row of it is read. Immutable. */
public interface FileHeader {

  /** Where the file is. */
  Path path();

  /** The columns as the file names them, or the fields of its records. */
  List<String> columns();

  /**
   * The field, or path of one, that holds a column, which is named by its text or by its field;
   * empty if there is no such column.
   */
  Optional<String> field(String column);

  /**
   * Reads a file's header.
   *
   * @throws DataException if it cannot be read
   */
  static FileHeader of(Path path) {
    DataFile.requireFile(path);
    return DataFile.isAvro(path) ? AvroFile.of(path, Reading.PLAIN) : CsvHeader.of(path);
  }
}
