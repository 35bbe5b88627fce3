package io.holdfast.cli.data;

import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.RowReader;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.InputFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** A Parquet file, whose rows are read group by group. Immutable. */
record ParquetFile(
    InputFile file, List<ParquetColumn> read, Schema schema, long rows, Reading reading)
    implements DataFile {

  /** Told what to say once, and kept so that it is not forgotten. */
  private static final Logger LOGGER = Logger.getLogger("dev.hardwood");

  static {
    LOGGER.setLevel(Level.WARNING);
  }

  static ParquetFile of(InputFile file, Reading reading) {
    try (ParquetFileReader reader = opened(file)) {
      long rows = reader.getFileMetaData().numRows();
      if (rows <= 0) {
        throw new DataException("%s has a schema and no rows", file);
      }
      List<ParquetColumn> columns =
          ParquetColumn.all("Row", reader.getFileSchema().getRootNode().children());
      return new ParquetFile(file, columns, ParquetColumn.record("Row", columns), rows, reading);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  @SuppressWarnings("IllegalCatch") // other people's code on damaged bytes
  private static ParquetFileReader opened(InputFile file) {
    try {
      return ParquetFileReader.open(dev.hardwood.InputFile.of(file.path()));
    } catch (DataException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw unreadable(file, e);
    }
  }

  private static DataException unreadable(Object place, Exception e) {
    String said = e.getMessage();
    return new DataException(
            "%s cannot be read as Parquet, or was cut off: %s",
            place,
            said == null ? e.getClass().getSimpleName() : said.lines().findFirst().orElse(""))
        .because(e);
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public List<String> notes(Set<String> fields) {
    return SeenFields.notes(this, reading, fields);
  }

  @Override
  public RowCursor open() {
    ParquetFileReader reader = opened(file);
    return new Cursor(reader, reader.rowReader());
  }

  private final class Cursor implements RowCursor {
    private final ParquetFileReader reader;
    private final RowReader cells;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(256);
    private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(body, null);
    private long row;

    Cursor(ParquetFileReader reader, RowReader cells) {
      this.reader = reader;
      this.cells = cells;
    }

    @Override
    @SuppressWarnings("IllegalCatch") // other people's code on damaged bytes
    public byte @Nullable [] next() {
      body.reset();
      try {
        if (!cells.hasNext()) {
          return null;
        }
        cells.next();
        row++;
        for (ParquetColumn column : read) {
          column.write(cells, encoder);
        }
      } catch (IOException | RuntimeException e) {
        throw unreadable(place(), e);
      }
      return body.toByteArray();
    }

    @Override
    public String place() {
      return file + ", row " + row;
    }

    @Override
    public void close() {
      try (reader) {
        cells.close();
      } catch (IOException e) {
        throw new DataException("%s cannot be closed: %s", file, e).because(e);
      }
    }
  }
}
