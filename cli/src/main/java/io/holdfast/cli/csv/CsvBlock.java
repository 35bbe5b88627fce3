package io.holdfast.cli.csv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Some rows of a CSV text in typed cells, and the text that they were read from until it is {@link
 * #compacted()}. Written by the thread that reads it, then only read.
 */
public final class CsvBlock {
  private static final double MOST_ROOM = 1.25;
  private static final int OTHERS = (1 << Cell.STRING) - (1 << (Cell.WORD + 1));

  private final int width;
  private final Marks marks;
  private byte[] bytes;
  private byte[] kinds;
  private long[] cells; // texts as place and length in `bytes`
  private int[] starts;
  private int[] lines; // the number of the line that a row ends with
  private final int[] kindsOf; // bits of the kinds that a column has
  private boolean[] textual;
  private int rows;
  private long before; // lines of the blocks before
  private int lineCount;

  CsvBlock(int width, Marks marks, byte[] bytes, int expected) {
    this.width = width;
    this.marks = marks;
    this.bytes = bytes;
    kinds = new byte[width * expected];
    cells = new long[width * expected];
    starts = new int[expected];
    lines = new int[expected];
    kindsOf = new int[width];
    textual = new boolean[width];
  }

  public int rows() {
    return rows;
  }

  public byte kind(int row, int column) {
    return kinds[row * width + column];
  }

  /** What {@link Cell#bits} says; of a text, for {@link #text}. */
  public long bits(int row, int column) {
    return cells[row * width + column];
  }

  /** The number of the row's line in the whole text; of the last, if it has several. */
  public long line(int row) {
    return before + lines[row];
  }

  /** Whether all cells of a column are of one kind. */
  public boolean hasOnly(byte kind, int column) {
    return kindsOf[column] == 1 << kind;
  }

  /** Whether the texts of a column are there, however they look. */
  public boolean hasTexts(int column) {
    return textual[column];
  }

  /** The bytes that texts are in, in UTF-8. */
  @SuppressWarnings("EI_EXPOSE_REP") // read only, and large
  public byte[] bytes() {
    return bytes;
  }

  public static int place(long bits) {
    return (int) (bits >>> Integer.SIZE);
  }

  public static int length(long bits) {
    return (int) bits;
  }

  /** How a cell is written, without spaces around it; of a block that is not compacted. */
  public String text(int row, int column) {
    Fields fields = new Fields(bytes, bytes.length, marks);
    fields.move(starts[row]);
    for (int i = 0; i < column; i++) {
      fields.next();
      fields.move(fields.at() + 1);
    }
    fields.next();
    return fields.text();
  }

  void set(int column, byte kind, long bits) {
    int at = rows * width + column;
    kinds[at] = kind;
    cells[at] = bits;
    kindsOf[column] |= 1 << kind;
  }

  /** Begins a row; there is room for its cells. */
  void begin(int start) {
    if (rows == starts.length) {
      int more = rows + rows / 2 + 8;
      kinds = Arrays.copyOf(kinds, more * width);
      cells = Arrays.copyOf(cells, more * width);
      starts = Arrays.copyOf(starts, more);
      lines = Arrays.copyOf(lines, more);
    }
    starts[rows] = start;
  }

  void end(int line) {
    lines[rows++] = line;
  }

  /** All rows are there; {@code all} lines, and bytes with the texts that were within quotes. */
  void finished(byte[] read, int all) {
    bytes = read;
    lineCount = all;
    List<Integer> mixed = new ArrayList<>();
    for (int column = 0; column < width; column++) {
      boolean texts = kindsOf[column] >= 1 << Cell.STRING;
      boolean others = (kindsOf[column] & OTHERS) != 0;
      textual[column] = texts || !others;
      if (texts && others) {
        mixed.add(column);
      }
    }
    if (!mixed.isEmpty()) {
      findTexts(mixed);
    }
  }

  /** A column with a text is one of texts, whatever else its cells could be. */
  private void findTexts(List<Integer> columns) {
    Fields fields = new Fields(bytes, bytes.length, marks);
    for (int row = 0; row < rows; row++) {
      fields.move(starts[row]);
      int column = 0;
      for (int wanted : columns) {
        for (; column < wanted; column++) {
          fields.next();
          fields.move(fields.at() + 1);
        }
        fields.next();
        cells[row * width + wanted] = fields.position();
        fields.move(fields.at() + 1);
        column++;
      }
    }
    bytes = fields.bytes();
  }

  CsvBlock after(long linesBefore) {
    before = linesBefore;
    return this;
  }

  int lineCount() {
    return lineCount;
  }

  /** The same rows in as little memory as they need; the text that they were read from goes. */
  public CsvBlock compacted() {
    boolean some = false;
    for (int of : kindsOf) {
      some |= of >= 1 << Cell.STRING || (of & (1 << Cell.WORD)) != 0;
    }
    bytes = some ? texts() : new byte[0];
    starts = new int[0];
    if (kinds.length > rows * width * MOST_ROOM) {
      kinds = Arrays.copyOf(kinds, rows * width);
      cells = Arrays.copyOf(cells, rows * width);
      lines = Arrays.copyOf(lines, rows);
    }
    return this;
  }

  private byte[] texts() {
    int length = 0;
    for (int at = 0; at < rows * width; at++) {
      length += isText(at) ? length(cells[at]) : 0;
    }
    byte[] texts = new byte[length];
    int end = 0;
    for (int at = 0; at < rows * width; at++) {
      if (isText(at)) {
        int one = length(cells[at]);
        System.arraycopy(bytes, place(cells[at]), texts, end, one);
        cells[at] = (long) end << Integer.SIZE | one;
        end += one;
      }
    }
    return texts;
  }

  private boolean isText(int at) {
    return kinds[at] >= Cell.STRING
        || kinds[at] == Cell.WORD
        || (kinds[at] > Cell.WORD && textual[at % width]);
  }

  /** About the memory that it takes. */
  public long size() {
    return bytes.length + kinds.length + 8L * cells.length + 4L * lines.length;
  }
}
