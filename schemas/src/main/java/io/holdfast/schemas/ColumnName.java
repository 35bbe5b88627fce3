package io.holdfast.schemas;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A column's text in a file, and the Avro name that stands for it in record schemas and models.
 * Stateless.
 */
public final class ColumnName {
  /*
   * The escapes are those of SQL/XML (ISO 9075-14): _xHHHH_, or _xHHHHHH_ beyond the first plane,
   * for a character that an Avro name cannot have. An underscore that would begin what looks like
   * one is itself escaped. So the name is a function of the text alone, whatever other columns
   * there are and in which order, two texts never have one name, and the text can be read from it.
   */
  private static final Pattern ESCAPE =
      Pattern.compile("_x([0-9A-F]{4}|(?:0[1-9A-F]|10)[0-9A-F]{4})_");
  private static final Pattern LOOKS_ESCAPED = Pattern.compile("_x[0-9A-F]{4}.*", Pattern.DOTALL);
  private static final Pattern AVRO_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private ColumnName() {}

  /** The text that names a column: without spaces around it, accents composed (Unicode NFC). */
  public static String text(String header) {
    return Normalizer.normalize(header, Normalizer.Form.NFC).strip();
  }

  /** The Avro name of the column of that text, which is the text itself if it is one. */
  public static String field(String text) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int character = text.codePointAt(i);
      boolean allowed =
          character == '_'
              ? !LOOKS_ESCAPED.matcher(text).region(i, text.length()).matches()
              : letter(character) || (digit(character) && i > 0);
      if (allowed) {
        name.appendCodePoint(character);
      } else {
        name.append(
            String.format(Locale.ROOT, character > 0xFFFF ? "_x%06X_" : "_x%04X_", character));
      }
    }
    return name.toString();
  }

  /**
   * The path of a field that settings name, either as it is or, part by part between dots, by the
   * text of its column.
   */
  public static String path(String named) {
    StringBuilder path = new StringBuilder();
    for (String part : named.split("\\.", -1)) {
      path.append(path.isEmpty() ? "" : ".");
      path.append(AVRO_NAME.matcher(part).matches() ? part : field(text(part)));
    }
    return path.toString();
  }

  /** What people call the field at a path: the text of its column. */
  public static String of(String path) {
    Matcher escapes = ESCAPE.matcher(path);
    return escapes.find()
        ? escapes.replaceAll(
            escape ->
                Matcher.quoteReplacement(Character.toString(Integer.parseInt(escape.group(1), 16))))
        : path;
  }

  private static boolean letter(int character) {
    return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z');
  }

  private static boolean digit(int character) {
    return character >= '0' && character <= '9';
  }
}
