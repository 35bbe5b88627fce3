package io.holdfast.cli.data;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * A file of rows: CSV (also gzipped) with a header, or an Avro container file. Immutable; may be
 * read any number of times.
 */
public interface DataFile extends FileHeader {

  /** The schema that its rows are encoded with. */
  Schema schema();

  /** How many rows it has. */
  long rows();

  /** Why fields are hardly meant to be features as they are: a sentence for each that is not. */
  default List<String> doubts(Set<String> fields) {
    return List.of();
  }

  /** Starts at the first row. */
  RowCursor open();

  /**
   * Opens one file.
   *
   * @param asText columns of a CSV file whose values are names even if they look like numbers:
   *     environments, categories, keys
   * @throws DataException if it cannot be read
   */
  static DataFile open(Path path, Set<String> asText) {
    return openAll(List.of(path), asText).getFirst();
  }

  /**
   * Opens files that hold rows of one kind. CSV files among them get one schema, wide enough for
   * all: a column that one of them lacks is missing in its rows.
   *
   * @throws DataException if one cannot be read
   */
  static List<DataFile> openAll(List<Path> paths, Set<String> asText) {
    Set<Path> csv = new LinkedHashSet<>();
    for (Path path : paths) {
      requireFile(path);
      if (!isAvro(path)) {
        csv.add(path);
      }
    }
    CsvSchema schema = CsvSchema.infer(List.copyOf(csv), asText);
    List<DataFile> files = new ArrayList<>();
    for (Path path : paths) {
      files.add(isAvro(path) ? AvroFile.of(path) : new CsvFile(path, schema));
    }
    return files;
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
