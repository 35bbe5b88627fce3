package io.holdfast.cli.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.cli.csv.Dialect;
import io.holdfast.schemas.file.TemporaryFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a command reads, as often as it likes, and what they are called in sentences: a file,
 * or several of text one after another. Thread-safe.
 */
public final class InputFile {
  private final String name;
  private final List<Part> parts;
  private final DataFormat format;
  private volatile Dialect dialect = Dialect.FOUND;
  private volatile @Nullable Path unpacked;
  private volatile @Nullable JoinedLines joined; // as last opened: it knows which line is whose

  /** A file, and what it is called. */
  record Part(String name, Path path) {}

  private InputFile(String name, List<Part> parts, DataFormat format) {
    this.name = name;
    this.parts = parts;
    this.format = format;
  }

  /** A file, of the format that its name says, or else its beginning. */
  static InputFile of(String name, Path path) {
    DataFormat format = DataFormat.named(name);
    if (format == null) {
      try (InputStream bytes = Unpacked.open(name, path, false)) {
        format = DataFormat.of(bytes.readNBytes(DataFormat.BYTES));
      } catch (IOException e) {
        throw new DataException("%s cannot be read: %s", name, e).because(e);
      }
    }
    return new InputFile(name, List.of(new Part(name, path)), format);
  }

  /** A file of Avro, whatever it is called. */
  static InputFile avro(String name, Path path) {
    return new InputFile(name, List.of(new Part(name, path)), DataFormat.AVRO);
  }

  /** Files of text as one; of CSV, the first alone gives its header. */
  public static InputFile joined(String name, List<InputFile> files) {
    Charset declared = files.getFirst().dialect.encoding();
    if (declared != null && declared.name().startsWith("UTF-") && !declared.equals(UTF_8)) {
      throw new DataException(
          "%s are several files, which are read as one in UTF-8 or an encoding of one byte a"
              + " character, not in %s: convert them, for example with iconv",
          name, declared);
    }
    var all =
        new InputFile(
            name,
            files.stream().flatMap(file -> file.parts.stream()).toList(),
            files.getFirst().format);
    all.written(files.getFirst().dialect);
    return all;
  }

  void written(Dialect declared) {
    dialect = declared;
  }

  /** How it is written if it is CSV. */
  public Dialect dialect() {
    return dialect;
  }

  public DataFormat format() {
    return format;
  }

  /** The bytes, unpacked. What is wrong with them is a DataException. */
  public InputStream open() {
    if (parts.size() == 1) {
      Part only = parts.getFirst();
      return Unpacked.open(only.name(), only.path(), true);
    }
    joined = new JoinedLines(parts, format == DataFormat.CSV);
    return joined;
  }

  /** Where a line stands, by number from 1, to begin a sentence with. */
  public String line(long number) {
    JoinedLines of = joined;
    return of == null ? name + ", line " + number : of.place(number);
  }

  /** A file of the bytes, unpacked, for what reads here and there; only of one file. */
  public Path path() {
    Path path = parts.getFirst().path();
    try {
      if (unpacked == null) {
        unpacked = Unpacked.isPacked(path) ? unpack() : path;
      }
    } catch (IOException e) {
      throw new DataException("%s cannot be read: %s", name, e).because(e);
    }
    return unpacked;
  }

  private Path unpack() throws IOException {
    Part only = parts.getFirst();
    try (InputStream bytes = Unpacked.open(only.name(), only.path(), false)) {
      return TemporaryFile.of(bytes::transferTo);
    }
  }

  /** Whether it is one file that is not packed. */
  public boolean isPlain() throws IOException {
    return parts.size() == 1 && !Unpacked.isPacked(parts.getFirst().path());
  }

  /** Spools what can be read but once. */
  static Path spooled(String name, InputStream bytes) {
    try {
      return TemporaryFile.of(bytes::transferTo);
    } catch (IOException e) {
      throw new DataException("%s cannot be read: %s", name, e).because(e);
    }
  }

  static Path spooled(String name, Path pipe) {
    try (InputStream bytes = Files.newInputStream(pipe)) {
      return spooled(name, bytes);
    } catch (IOException e) {
      throw new DataException("%s cannot be read: %s", name, e).because(e);
    }
  }

  /** What it is called. */
  @Override
  public String toString() {
    return name;
  }
}
