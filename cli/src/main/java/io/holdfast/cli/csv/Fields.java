package io.holdfast.cli.csv;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Walks the fields of a CSV text, one after the other, without the white space around them. Quotes
 * enclose a field that begins with one, and two are one within it; within other fields they are
 * characters. Owned by one thread.
 */
final class Fields {
  private final Marks marks;
  private final int limit;
  private byte[] bytes;
  private int end; // behind it texts are written that had doubled quotes
  private int at;
  private int from;
  private int length;
  private int lines; // ends of lines within quotes

  /** Of a text of whole lines, {@code bytes[0, limit)}. */
  Fields(byte[] bytes, int limit, Marks marks) {
    this.bytes = bytes;
    this.limit = limit;
    this.marks = marks;
    end = limit;
  }

  void move(int to) {
    at = to;
  }

  /** After {@link #next}: where the field's delimiter is, or the end of its line. */
  int at() {
    return at;
  }

  int from() {
    return from;
  }

  int length() {
    return length;
  }

  long position() {
    return (long) from << Integer.SIZE | length;
  }

  String text() {
    return new String(bytes, from, length, StandardCharsets.UTF_8);
  }

  byte[] bytes() {
    return bytes;
  }

  int linesWithin() {
    return lines;
  }

  /** The next field from where it is. */
  void next() {
    for (int space = marks.space(bytes, at); space > 0; space = marks.space(bytes, at)) {
      at += space;
    }
    lines = 0;
    if (bytes[at] == marks.quote()) {
      at++;
      enclosed();
      return;
    }
    from = at;
    while (bytes[at] != marks.delimiter() && !Marks.isEnd(bytes[at])) {
      at++;
    }
    trim(at);
  }

  private void trim(int to) {
    while (to > from) {
      int space = Marks.spaceBefore(bytes, from, to);
      if (space == 0) {
        break;
      }
      to -= space;
    }
    length = to - from;
  }

  private void enclosed() {
    from = at;
    int doubled = 0;
    while (true) {
      if (at >= limit - 1) {
        throw new CsvException(lines + 1, "cannot be read: its quote is never closed");
      }
      byte one = bytes[at];
      if (one == marks.quote()) {
        if (bytes[at + 1] != marks.quote()) {
          break;
        }
        doubled++;
        at++;
      } else if (one == '\n' ? bytes[at - 1] != '\r' : one == '\r') {
        lines++;
      }
      at++;
    }
    int close = at++;
    if (doubled > 0) {
      unescape(from, close, doubled);
    } else {
      length = close - from;
    }
    stripped();
    for (int space = marks.space(bytes, at); space > 0; space = marks.space(bytes, at)) {
      at += space;
    }
    if (bytes[at] != marks.delimiter() && !Marks.isEnd(bytes[at])) {
      throw new CsvException(
          lines + 1,
          "cannot be read: after a closing quote must come a delimiter or the line's end");
    }
  }

  private void unescape(int open, int close, int doubled) {
    length = close - open - doubled;
    int room = end + length + 1;
    if (room > bytes.length) {
      bytes = Arrays.copyOf(bytes, room + bytes.length / 2);
    }
    int to = end;
    for (int i = open; i < close; i++) {
      bytes[to++] = bytes[i];
      i += bytes[i] == marks.quote() ? 1 : 0;
    }
    from = end;
    bytes[to] = '\n';
    end = to + 1;
  }

  /** Space within quotes is none of a value either. */
  private void stripped() {
    int to = from + length;
    while (from < to) {
      int space = Marks.isEnd(bytes[from]) ? 1 : marks.spaceWithin(bytes, from, to);
      if (space == 0) {
        break;
      }
      from += space;
    }
    trim(to);
  }
}
