package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.InputFile;
import io.holdfast.schemas.ColumnName;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The header of a CSV file; columns are texts that differ. Immutable. */
record CsvHeader(InputFile file, List<String> columns) implements FileHeader {

  static CsvHeader of(InputFile file) {
    try (CsvText text = CsvText.open(file)) {
      return new CsvHeader(file, text.columns());
    }
  }

  /** Throws DataException unless another file has its columns in the same order. */
  void checkOrder(CsvHeader other) {
    for (int i = 0; i < columns.size(); i++) {
      if (!columns.get(i).equals(other.columns.get(i))) {
        throw new DataException(
            "%s has column %s where %s has %s: files that are read as one have their columns in one"
                + " order",
            other.file, other.columns.get(i), file, columns.get(i));
      }
    }
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public Optional<String> field(String column) {
    List<String> fields = columns.stream().map(ColumnName::field).toList();
    return Stream.of(ColumnName.field(ColumnName.text(column)), ColumnName.path(column))
        .filter(fields::contains)
        .findFirst();
  }
}
