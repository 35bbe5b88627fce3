package io.holdfast.cli.csv;

/** The bytes that part, enclose and punctuate the fields of a CSV text. Immutable. */
record Marks(byte delimiter, byte quote, byte decimal) {
  /** No byte of UTF-8: nothing encloses fields. */
  static final byte NO_QUOTE = -1;

  static final Marks USUAL = new Marks((byte) ',', (byte) '"', (byte) '.');

  static boolean isEnd(byte one) {
    return one == '\n' || one == '\r';
  }

  /** The length of the white space that begins at a byte; 0 if it is none, or has a meaning. */
  int space(byte[] bytes, int at) {
    byte one = bytes[at];
    if (one > ' ' || one == delimiter || isEnd(one)) {
      return 0;
    }
    return one >= 0 ? spaces(one) : far(bytes, at);
  }

  /** The length of the white space that begins at a byte within quotes; 0 if it is none. */
  int spaceWithin(byte[] bytes, int at, int end) {
    byte one = bytes[at];
    return one >= 0 ? spaces(one) : at + 3 > end ? 0 : far(bytes, at);
  }

  /** The same of white space that ends before a byte, and begins at {@code from} or after. */
  static int spaceBefore(byte[] bytes, int from, int at) {
    byte one = bytes[at - 1];
    if (one > ' ') {
      return 0;
    }
    return one >= 0 ? spaces(one) : at - from < 3 ? 0 : far(bytes, at - 3);
  }

  private static int spaces(byte one) {
    return Character.isWhitespace((char) one) ? 1 : 0;
  }

  /** White space beyond ASCII takes three bytes. */
  private static int far(byte[] bytes, int at) {
    if ((bytes[at] & 0xF0) != 0xE0
        || at + 2 >= bytes.length
        || (bytes[at + 1] & bytes[at + 2] & 0xC0) != 0x80) {
      return 0;
    }
    int character = (bytes[at] & 0x0F) << 12 | (bytes[at + 1] & 0x3F) << 6 | (bytes[at + 2] & 0x3F);
    return Character.isWhitespace(character) ? 3 : 0;
  }
}
