package io.holdfast.cli.csv;

import io.holdfast.schemas.feature.MissingWords;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads chunks of a CSV text to blocks of cells. Immutable; safe to share. */
final class CsvParser {
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final Marks marks;
  private final List<Boolean> texts;
  private final MissingWords missing;

  /** A parser of rows of so many fields; those that are {@code texts} are never numbers. */
  CsvParser(Marks marks, List<Boolean> texts, MissingWords missing) {
    this.marks = marks;
    this.texts = texts;
    this.missing = missing;
  }

  /** The rows of a chunk from a byte on; lines count from the {@code first} after that. */
  CsvBlock parse(CsvChunks.Chunk chunk, int from) {
    checkText(chunk.bytes(), from, chunk.end());
    return new Run(chunk).read(from);
  }

  /** Reads one chunk. */
  private final class Run {
    private final byte[] bytes;
    private final int end;
    private final Fields fields;
    private final Cell cell = new Cell(missing, marks.decimal());
    private final boolean[] asText = new boolean[texts.size()];
    private int at;
    private int line;

    Run(CsvChunks.Chunk chunk) {
      bytes = chunk.bytes();
      end = chunk.end();
      fields = new Fields(bytes, end, marks);
      for (int i = 0; i < asText.length; i++) {
        asText[i] = texts.get(i);
      }
    }

    CsvBlock read(int from) {
      at = from;
      CsvBlock block = new CsvBlock(asText.length, marks, bytes, expected(from));
      while (skipEmptyLines()) {
        block.begin(at);
        int columns = row(block);
        if (columns != asText.length) {
          throw new CsvException(
              line,
              "has %d fields where the header has %d columns: correct the line or the header",
              columns,
              asText.length);
        }
        block.end(line);
      }
      block.finished(fields.bytes(), line);
      return block;
    }

    /** About how many rows there are, by the length of the first. */
    private int expected(int from) {
      int first = from;
      while (first < end && !Marks.isEnd(bytes[first])) {
        first++;
      }
      return 4 + (end - from) / Math.max(asText.length, first - from + 1);
    }

    private boolean skipEmptyLines() {
      while (at < end && Marks.isEnd(bytes[at])) {
        endLine();
      }
      return at < end;
    }

    private void endLine() {
      at += bytes[at] == '\r' && at + 1 < end && bytes[at + 1] == '\n' ? 2 : 1;
      line++;
    }

    private int row(CsvBlock block) {
      for (int column = 0; ; column++) {
        if (column < asText.length) {
          field(block, column);
        } else {
          text();
        }
        if (bytes[at] != marks.delimiter()) {
          endLine();
          return column + 1;
        }
        at++;
      }
    }

    private void field(CsvBlock block, int column) {
      if (!asText[column]) {
        int to = cell.number(bytes, at);
        if (to > 0
            && (bytes[to] == marks.delimiter() || Marks.isEnd(bytes[to]))
            && !cell.isGap(bytes, at, to - at)) {
          block.set(column, cell.kind(), cell.bits());
          at = to;
          return;
        }
      }
      text();
      cell.read(fields.bytes(), fields.from(), fields.length(), asText[column]);
      boolean text = cell.kind() >= Cell.STRING || cell.kind() == Cell.WORD;
      block.set(column, cell.kind(), text ? fields.position() : cell.bits());
    }

    private void text() {
      fields.move(at);
      try {
        fields.next();
      } catch (CsvException e) {
        throw e.after(line);
      }
      at = fields.at();
      line += fields.linesWithin();
    }
  }

  /** The fields of the first row, if any, where the next begins, and the lines before that. */
  record Header(List<String> fields, int end, int lines) {}

  static Header header(CsvChunks.Chunk chunk, int from, Marks marks) {
    byte[] bytes = chunk.bytes();
    int at = from;
    int lines = 0;
    while (at < chunk.end() && Marks.isEnd(bytes[at])) {
      lines += bytes[at] == '\n' && at > from && bytes[at - 1] == '\r' ? 0 : 1;
      at++;
    }
    if (at == chunk.end()) {
      return new Header(List.of(), at, lines);
    }
    Fields fields = new Fields(bytes, chunk.end(), marks);
    List<String> names = new ArrayList<>();
    do {
      fields.move(names.isEmpty() ? at : fields.at() + 1);
      try {
        fields.next();
      } catch (CsvException e) {
        throw e.after(lines);
      }
      names.add(fields.text());
      lines += fields.linesWithin();
    } while (fields.bytes()[fields.at()] == marks.delimiter());
    at = fields.at();
    at += bytes[at] == '\r' && at + 1 < chunk.end() && bytes[at + 1] == '\n' ? 2 : 1;
    checkText(bytes, 0, at);
    return new Header(names, at, lines + 1);
  }

  private static void checkText(byte[] bytes, int from, int end) {
    long all = 0;
    int at = from;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      all |= (long) EIGHT.get(bytes, at);
    }
    for (; at < end; at++) {
      all |= bytes[at] & 0x80;
    }
    if ((all & 0x8080808080808080L) == 0) {
      return;
    }
    CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes, from, end - from);
    CharBuffer out = CharBuffer.allocate(8_192);
    CoderResult result = strict.decode(in, out, true);
    while (result.isOverflow()) {
      out.clear();
      result = strict.decode(in, out, true);
    }
    if (result.isError()) {
      int line = 1;
      for (int i = from; i < in.position(); i++) {
        boolean second = bytes[i] == '\n' && i > from && bytes[i - 1] == '\r';
        line += Marks.isEnd(bytes[i]) && !second ? 1 : 0;
      }
      throw new CsvException(
          line, "is not UTF-8: say what it is with --encoding, such as windows-1252");
    }
  }
}
