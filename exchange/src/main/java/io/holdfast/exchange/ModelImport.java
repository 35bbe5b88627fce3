package io.holdfast.exchange;

import io.holdfast.exchange.document.Document;
import io.holdfast.exchange.document.JsonDocument;
import io.holdfast.exchange.document.UbjDocument;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ForeignModel;
import io.holdfast.exchange.json.JsonReader;
import io.holdfast.exchange.lightgbm.LightGbmReader;
import io.holdfast.exchange.xgboost.XgboostReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads model files of other programs, whichever they are of. Stateless. */
public final class ModelImport {
  private static final long MOST_BYTES = 1L << 29;
  private static final int FIRST_BYTES = 16;

  private ModelImport() {}

  /** Whether a file may be a model of another program: whatever is no Avro file, which ours are. */
  public static boolean isForeign(Path file) throws IOException {
    byte[] begin = begin(file);
    return !(begin.length >= 4
        && begin[0] == 'O'
        && begin[1] == 'b'
        && begin[2] == 'j'
        && begin[3] == 1);
  }

  /**
   * Reads a file.
   *
   * @throws ExchangeException in one sentence that names the file, if it is no model, or one that
   *     cannot be taken over
   */
  public static ForeignModel read(Path file) throws IOException, ExchangeException {
    try {
      return model(file);
    } catch (ExchangeException e) {
      throw ExchangeException.of("%s: %s", file, e.getMessage());
    }
  }

  private static ForeignModel model(Path file) throws IOException, ExchangeException {
    long size = Files.size(file);
    ExchangeException.require(
        size <= MOST_BYTES, "a model file has at most %d bytes: %d", MOST_BYTES, size);
    byte[] begin = begin(file);
    if (new String(begin, StandardCharsets.ISO_8859_1).startsWith("tree")) {
      try (var in = Files.newInputStream(file);
          var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
        return LightGbmReader.read(lines);
      }
    }
    if (begin.length < 2 || begin[0] != '{') {
      throw ExchangeException.of(
          "it is no model of LightGBM (text) or XGBoost (JSON or UBJ), unpacked: save it so there");
    }
    if ("iUIlL".indexOf(begin[1]) >= 0) {
      return document(UbjDocument.parse(Files.readAllBytes(file)));
    }
    try (InputStream in = Files.newInputStream(file)) {
      return document(JsonDocument.read(in));
    }
  }

  private static ForeignModel document(Document document) throws ExchangeException {
    if (JsonReader.recognises(document)) {
      return JsonReader.read(document);
    }
    ExchangeException.require(
        XgboostReader.recognises(document),
        "it is a document but no model of XGBoost, which has a learner, and none of ours, which has"
            + " a format");
    return XgboostReader.read(document);
  }

  private static byte[] begin(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(FIRST_BYTES);
    }
  }
}
