package io.holdfast.cli.data;

import io.holdfast.cli.csv.CsvBlock;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.InputFile;
import io.holdfast.schemas.feature.MissingWords;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A CSV file and the Avro schema of its rows. Immutable.
 *
 * <p>A column is the narrowest of these that all its values allow: long, double (decimals, or longs
 * and decimals), boolean (true, false), timestamp-millis (ISO 8601), string. One in which a value
 * is missing anywhere is a union with null.
 */
record CsvFile(
    InputFile file,
    List<CsvColumn> read,
    Schema schema,
    long rows,
    MissingWords missing,
    @Nullable List<CsvBlock> kept)
    implements DataFile {
  static final String RECORD_NAME = "Row";
  static final String NAMESPACE = "holdfast.csv";

  /** The share of the memory that rows may take, so that they are not read from the file again. */
  private static final double MOST_KEPT = 0.25;

  static CsvFile of(InputFile file, Reading reading) {
    try (CsvText text = CsvText.open(file)) {
      List<String> headers = text.columns();
      text.expect(headers.stream().map(reading::asText).toList(), reading.missing());
      List<SeenColumn> seen =
          headers.stream()
              .map(header -> new SeenColumn(reading.asText(header), reading.missing(), "line"))
              .toList();
      List<CsvBlock> kept = new ArrayList<>();
      boolean keep = true;
      long size = 0;
      long rows = 0;
      for (CsvBlock block = text.next(); block != null; block = text.next()) {
        for (int i = 0; i < seen.size(); i++) {
          seen.get(i).see(block, i);
        }
        rows += block.rows();
        if (keep) {
          kept.add(block.compacted());
          size += block.size();
          keep = size < MOST_KEPT * Runtime.getRuntime().maxMemory();
        }
        if (!keep) {
          kept.clear();
        }
      }
      if (rows == 0) {
        throw new DataException("%s has a header and no rows", file);
      }
      List<CsvColumn> columns = new ArrayList<>();
      for (int i = 0; i < headers.size(); i++) {
        columns.add(CsvColumn.of(headers.get(i), seen.get(i)));
      }
      List<Schema.Field> fields = columns.stream().map(CsvColumn::avroField).toList();
      Schema schema = Schema.createRecord(RECORD_NAME, null, NAMESPACE, false, fields);
      boolean whole = keep && kept.stream().allMatch(block -> hasTexts(block, columns));
      return new CsvFile(
          file, List.copyOf(columns), schema, rows, reading.missing(), whole ? kept : null);
    }
  }

  /** Whether what turned out to be texts was not taken for numbers, and forgotten. */
  private static boolean hasTexts(CsvBlock block, List<CsvColumn> columns) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).type() == ColumnType.STRING && !block.hasTexts(i)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public void check(FileContract contract) {
    for (CsvColumn column : read) {
      FileContract.Kind kind = contract.kind(column.header());
      String misfit = kind == null ? null : column.seen().misfit(column.header(), kind);
      if (misfit != null) {
        throw new DataException("%s, %s", file, misfit);
      }
    }
  }

  @Override
  public List<String> columns() {
    return read.stream().map(CsvColumn::header).toList();
  }

  @Override
  public Optional<String> field(String column) {
    return new CsvHeader(file, columns()).field(column);
  }

  @Override
  public void checkFeatures(Set<String> fields) {
    for (CsvColumn column : read) {
      String fault = fields.contains(column.field()) ? column.seen().fault(column.header()) : null;
      if (fault != null) {
        throw new DataException("%s, %s", file, fault);
      }
    }
  }

  @Override
  public List<String> notes(Set<String> fields) {
    return read.stream()
        .filter(column -> fields.contains(column.field()))
        .flatMap(column -> column.seen().notes(column.header()).stream())
        .toList();
  }

  @Override
  public RowCursor open() {
    return kept == null ? new Cursor(this, CsvText.open(file)) : new Cursor(this, kept.iterator());
  }

  private static final class Cursor implements RowCursor {
    private final CsvFile file;
    private final @Nullable CsvText text;
    private final Iterator<CsvBlock> blocks;
    private final BodyWriter writer = new BodyWriter();
    private @Nullable CsvBlock block;
    private int row;

    Cursor(CsvFile file, Iterator<CsvBlock> kept) {
      this.file = file;
      text = null;
      blocks = kept;
    }

    Cursor(CsvFile file, CsvText text) {
      this.file = file;
      this.text = text;
      blocks = Collections.emptyIterator();
      if (!text.columns().equals(file.columns())) {
        text.close();
        throw new DataException(
            "%s has another header now: do not write to the file while it is read", file.file);
      }
      text.expect(
          file.read.stream().map(column -> column.type() == ColumnType.STRING).toList(),
          file.missing);
    }

    private @Nullable CsvBlock nextBlock() {
      if (text != null) {
        return text.next();
      }
      return blocks.hasNext() ? blocks.next() : null;
    }

    @Override
    public byte @Nullable [] next() {
      row++;
      if (block == null || row == block.rows()) {
        CsvBlock next = nextBlock();
        if (next == null) {
          row--;
          return null;
        }
        block = next;
        row = 0;
      }
      List<CsvColumn> columns = file.read;
      for (int i = 0; i < columns.size(); i++) {
        columns.get(i).write(block, row, i, writer, this::place);
      }
      return writer.body();
    }

    @Override
    public String place() {
      return file.file.line(block == null ? 1 : block.line(row));
    }

    @Override
    public void close() {
      if (text != null) {
        text.close();
      }
    }
  }
}
