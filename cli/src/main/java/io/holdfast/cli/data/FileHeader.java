package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.input.InputFile;
import java.util.List;
import java.util.Optional;

/** What a file says of its columns before any row of it is read. Immutable. */
public interface FileHeader {

  /** What it is called in sentences. */
  String name();

  List<String> columns();

  /** The field, or path of one, of a column that is named by its text or by its field. */
  Optional<String> field(String column);

  static FileHeader of(DataSource source) {
    InputFile file = DataFile.file(source);
    return switch (file.format()) {
      case CSV -> CsvHeader.of(file);
      case AVRO -> AvroFile.of(file, Reading.PLAIN);
      case JSONL, PARQUET -> throw new DataException("%s cannot be read", file);
    };
  }
}
