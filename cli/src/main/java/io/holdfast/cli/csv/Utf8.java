package io.holdfast.cli.csv;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Text of any encoding as UTF-8. Owned by one thread. */
final class Utf8 extends InputStream {
  private static final int CHARACTERS = 1 << 15;

  private final Reader reader;
  private final Charset encoding;
  private final char[] characters = new char[CHARACTERS];
  private int left; // of the first half of a character
  private byte[] bytes = {};
  private int at;

  private Utf8(InputStream in, Charset encoding) {
    this.encoding = encoding;
    reader =
        new InputStreamReader(
            in,
            encoding
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT));
  }

  /**
   * The bytes of a text in UTF-8, which its byte order mark or {@code declared} may say it is not.
   */
  static InputStream of(InputStream in, @Nullable Charset declared) throws IOException {
    byte[] first = in.readNBytes(4);
    InputStream all = new SequenceInputStream(new ByteArrayInputStream(first), in);
    Charset encoding = declared == null ? encoding(first) : declared;
    return encoding.equals(StandardCharsets.UTF_8) ? all : new Utf8(all, encoding);
  }

  private static Charset encoding(byte[] first) {
    int mark = first.length < 2 ? 0 : (first[0] & 0xFF) << Byte.SIZE | (first[1] & 0xFF);
    if (mark == 0xFEFF) {
      return StandardCharsets.UTF_16BE;
    }
    if (mark == 0xFFFE) {
      return StandardCharsets.UTF_16LE;
    }
    if (first.length > 1 && (first[0] == 0 || first[1] == 0)) {
      throw new CsvException(
          1,
          "is not UTF-8, but perhaps UTF-16 without a byte order mark: say so with --encoding %s",
          first[0] == 0 ? "UTF-16BE" : "UTF-16LE");
    }
    return StandardCharsets.UTF_8;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    while (at == bytes.length) {
      if (!fill()) {
        return -1;
      }
    }
    int count = Math.min(length, bytes.length - at);
    System.arraycopy(bytes, at, target, from, count);
    at += count;
    return count;
  }

  private boolean fill() throws IOException {
    int read;
    try {
      read = reader.read(characters, left, CHARACTERS - left);
    } catch (CharacterCodingException e) {
      throw new CsvException(
          0, "is not in the encoding %s: say what it is with --encoding", encoding);
    }
    int end = left + Math.max(read, 0);
    boolean half = read > 0 && Character.isHighSurrogate(characters[end - 1]);
    int whole = half ? end - 1 : end;
    bytes = new String(characters, 0, whole).getBytes(StandardCharsets.UTF_8);
    at = 0;
    left = half ? 1 : 0;
    characters[0] = half ? characters[end - 1] : characters[0];
    return read >= 0;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
