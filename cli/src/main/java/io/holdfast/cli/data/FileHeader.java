package io.holdfast.cli.data;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a file says of its columns before any row of it is read. Immutable. */
public interface FileHeader {

  Path path();

  List<String> columns();

  /** The field, or path of one, of a column that is named by its text or by its field. */
  Optional<String> field(String column);

  static FileHeader of(Path path) {
    DataFile.requireFile(path);
    return DataFile.isAvro(path) ? AvroFile.of(path, Reading.PLAIN) : CsvHeader.of(path);
  }
}
