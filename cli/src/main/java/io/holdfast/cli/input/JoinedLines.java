package io.holdfast.cli.input;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The lines of several files as those of one, of CSV without the headers of all but the first.
 * Bytes are read by one thread; places may be asked for by any.
 */
final class JoinedLines extends InputStream {
  private static final int[] MARK = {0xEF, 0xBB, 0xBF};

  private final List<InputFile.Part> parts;
  private final boolean headers;
  private final List<Start> starts = new CopyOnWriteArrayList<>();
  private @Nullable InputStream bytes;
  private long lines; // that were given out
  private int last = '\n';

  /** How many lines there were before a file, and how many of its own were left out. */
  private record Start(String name, long before, long leftOut) {}

  JoinedLines(List<InputFile.Part> parts, boolean headers) {
    this.parts = parts;
    this.headers = headers;
  }

  String place(long line) {
    Start of = starts.getFirst();
    for (Start start : starts) {
      of = start.before < line ? start : of;
    }
    return of.name + ", line " + (line - of.before + of.leftOut);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    while (length > 0) {
      InputStream open = bytes;
      if (open == null) {
        if (starts.size() == parts.size()) {
          return -1;
        }
        bytes = next();
        continue;
      }
      int count = open.read(target, from, length);
      if (count > 0) {
        count(target, from, count);
        return count;
      }
      open.close();
      bytes = null;
      if (last != '\n' && last != '\r') { // the last line of a file has an end, too
        target[from] = '\n';
        count(target, from, 1);
        return 1;
      }
    }
    return 0;
  }

  private void count(byte[] target, int from, int count) {
    for (int i = from; i < from + count; i++) {
      byte one = target[i];
      lines += one == '\r' || (one == '\n' && last != '\r') ? 1 : 0;
      last = one;
    }
  }

  private InputStream next() throws IOException {
    InputFile.Part part = parts.get(starts.size());
    InputStream in = new BufferedInputStream(Unpacked.open(part.name(), part.path(), true));
    in.mark(2);
    int mark = (in.read() << 8) | in.read();
    in.reset();
    if (mark == 0xFEFF || mark == 0xFFFE) {
      throw new DataException(
          "%s is UTF-16, and several files are read as one in UTF-8 or an encoding of one byte a"
              + " character: convert it, for example with iconv",
          part.name());
    }
    long leftOut = starts.isEmpty() ? 0 : skipMark(in) + (headers ? skipHeader(in) : 0);
    starts.add(new Start(part.name(), lines, leftOut));
    last = '\n';
    return in;
  }

  private static int skipMark(InputStream in) throws IOException {
    in.mark(MARK.length);
    for (int expected : MARK) {
      if (in.read() != expected) {
        in.reset();
        break;
      }
    }
    return 0;
  }

  /** Passes over empty lines and the first line that is none; how many lines that was. */
  private static int skipHeader(InputStream in) throws IOException {
    int lines = 0;
    boolean quoted = false;
    boolean some = false;
    for (int one = in.read(); one >= 0; one = in.read()) {
      quoted ^= one == '"';
      if (one == '\n' || one == '\r') {
        lines++;
        if (one == '\r') {
          in.mark(1);
          if (in.read() != '\n') {
            in.reset();
          }
        }
        if (some && !quoted) {
          break;
        }
      } else {
        some |= one != ' ' && one != '\t';
      }
    }
    return lines;
  }

  @Override
  public void close() throws IOException {
    if (bytes != null) {
      bytes.close();
    }
  }
}
