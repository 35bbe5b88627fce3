package io.holdfast.cli.input;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file, unpacked if they begin as gzip or zstd do, whatever its name. What is wrong
 * with them is a DataException that names the file. Owned by one thread.
 *
 * <p>A few bytes may claim to be terabytes: a file that is packed may not become more than a
 * thousand times as large, unless it stays small, and a line of text in it has an end.
 */
final class Unpacked extends InputStream {
  private static final int BUFFER = 1 << 16;
  private static final int GZIP = 0x1F8B;
  private static final int ZSTD = 0x28B52FFD;
  private static final int SKIPPED = 0x184D2A5; // 4 bits more: what parallel zstd begins with
  private static final long SMALL = 1L << 30;
  private static final long MOST_TIMES = 1_000;
  private static final int LONGEST_LINE = 16 << 20;

  /** The largest window is what zstd takes by itself: 128 MB. */
  private static final int WINDOW_LOG = 27;

  private final String name;
  private final InputStream bytes;
  private final long most;
  private final boolean lines;
  private long read;
  private long lineBegin;

  private Unpacked(String name, InputStream bytes, long most, boolean lines) {
    this.name = name;
    this.bytes = bytes;
    this.most = most;
    this.lines = lines;
  }

  /** Opens a file that users know by a name; {@code lines} says that it is of lines of text. */
  static InputStream open(String name, Path path, boolean lines) {
    try {
      InputStream plain = new BufferedInputStream(Files.newInputStream(path), BUFFER);
      boolean opened = false;
      try {
        boolean packed = packing(first(plain)) != null;
        var unpacked =
            new Unpacked(
                name,
                unpack(name, plain),
                packed ? Math.max(SMALL, MOST_TIMES * Files.size(path)) : Long.MAX_VALUE,
                lines && packed);
        opened = true;
        return unpacked;
      } finally {
        if (!opened) {
          plain.close();
        }
      }
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  static boolean isPacked(Path path) throws IOException {
    try (InputStream bytes = Files.newInputStream(path)) {
      return packing(bytes.readNBytes(4)) != null;
    }
  }

  private static byte[] first(InputStream plain) throws IOException {
    plain.mark(4);
    byte[] first = plain.readNBytes(4);
    plain.reset();
    return first;
  }

  private static @Nullable String packing(byte[] first) {
    if (first.length < 4) {
      return null;
    }
    int big = 0;
    int little = 0;
    for (int i = 0; i < 4; i++) {
      big = (big << 8) | (first[i] & 0xFF);
      little |= (first[i] & 0xFF) << (8 * i);
    }
    if (big >>> 16 == GZIP) {
      return "gzip";
    }
    return big == ZSTD || little >>> 4 == SKIPPED ? "zstd" : null;
  }

  private static InputStream unpack(String name, InputStream plain) throws IOException {
    String packing = packing(first(plain));
    if (packing == null) {
      checkName(name);
      return plain;
    }
    return packing.equals("gzip")
        ? new GZIPInputStream(plain, BUFFER)
        : new BufferedInputStream(
            new ZstdInputStreamNoFinalizer(plain).setContinuous(false).setLongMax(WINDOW_LOG),
            BUFFER);
  }

  private static void checkName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".gz")) {
      throw new DataException(
          "%s is not gzipped, though its name ends in .gz: rename or compress it", name);
    }
    if (lower.endsWith(".zst") || lower.endsWith(".zstd")) {
      throw new DataException(
          "%s is not compressed by zstd, though its name ends in .zst: rename or compress it",
          name);
    }
  }

  private static DataException unreadable(String name, IOException e) {
    return switch (e) {
      case EOFException _ -> cut(name).because(e);
      case ZstdIOException z when z.getErrorCode() == Zstd.errFrameParameterWindowTooLarge() ->
          new DataException(
                  "%s needs more memory to unpack than the 128 MB that are granted: compress it"
                      + " without --long or --ultra",
                  name)
              .because(e);
      case ZstdIOException z when String.valueOf(z.getMessage()).contains("Truncated") ->
          cut(name).because(e);
      case ZstdIOException _, ZipException _ ->
          new DataException("%s is damaged where it is compressed: %s", name, e.getMessage())
              .because(e);
      default -> new DataException("%s cannot be read: %s", name, e).because(e);
    };
  }

  private static DataException cut(String name) {
    return new DataException("%s ends within its compressed data: the rest was cut off", name);
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int length) {
    int count;
    try {
      count = bytes.read(target, from, length);
    } catch (IOException e) {
      throw unreadable(name, e);
    }
    if (count > 0) {
      check(target, from, count);
    }
    return count;
  }

  private void check(byte[] target, int from, int count) {
    read += count;
    if (read > most) {
      throw new DataException(
          "%s is more than %,d times as large when it is unpacked, and is no data: unpack it"
              + " yourself if it is",
          name, MOST_TIMES);
    }
    if (!lines) {
      return;
    }
    int at = from + count - 1;
    while (at >= from && target[at] != '\n' && target[at] != '\r') {
      at--;
    }
    lineBegin = at < from ? lineBegin : read - (from + count - 1 - at);
    if (read - lineBegin > LONGEST_LINE) {
      throw new DataException(
          "%s has a line of more than %,d bytes, and is no data", name, LONGEST_LINE);
    }
  }

  @Override
  public int available() throws IOException {
    return bytes.available();
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
