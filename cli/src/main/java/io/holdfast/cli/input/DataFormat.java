package io.holdfast.cli.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How rows are written. */
public enum DataFormat {
  CSV,
  JSONL,
  AVRO,
  PARQUET;

  /** What tells a format: so many bytes at the beginning. */
  static final int BYTES = 512;

  /** The format that a name's ending says; null if it says none. */
  static @Nullable DataFormat named(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|zst|zstd)$", "");
    return switch (plain.substring(plain.lastIndexOf('.') + 1)) {
      case "csv", "tsv" -> CSV;
      case "jsonl", "ndjson", "json" -> JSONL;
      case "avro" -> AVRO;
      case "parquet" -> PARQUET;
      default -> null;
    };
  }

  /** The format that a file begins as; CSV begins with anything. */
  static DataFormat of(byte[] first) {
    String text = new String(first, ISO_8859_1);
    if (text.startsWith("Obj\u0001")) {
      return AVRO;
    }
    if (text.startsWith("PAR1")) {
      return PARQUET;
    }
    return text.replaceFirst("^ï»¿", "").strip().startsWith("{") ? JSONL : CSV;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
