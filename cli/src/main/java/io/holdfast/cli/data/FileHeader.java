package io.holdfast.cli.data;

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
    List<InputFile> files = DataFile.files(source);
    return switch (files.getFirst().format()) {
      case CSV -> {
        CsvHeader first = CsvHeader.of(files.getFirst());
        for (InputFile file : files) {
          CsvHeader other = CsvHeader.of(file);
          JoinedFile.checkSame(first, other);
          first.checkOrder(other);
        }
        yield CsvHeader.of(DataFile.asOne(source, files));
      }
      case JSONL -> JsonFile.header(DataFile.asOne(source, files));
      case AVRO, PARQUET -> DataFile.open(source, Reading.PLAIN);
    };
  }
}
