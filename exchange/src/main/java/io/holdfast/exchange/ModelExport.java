package io.holdfast.exchange;

import io.holdfast.boosting.model.Model;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.json.JsonWriter;
import io.holdfast.exchange.lightgbm.LightGbmWriter;
import io.holdfast.exchange.onnx.OnnxWriter;
import io.holdfast.exchange.xgboost.XgboostWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes models for other programs. Stateless. */
public final class ModelExport {
  private ModelExport() {}

  /** What a model can be written as. */
  public enum Format {
    /** Plain JSON, to be scored by a page of any language. */
    JSON,
    /** LightGBM's text. */
    LIGHTGBM,
    /** XGBoost's JSON. */
    XGBOOST,
    /** ONNX with a TreeEnsemble of doubles. */
    ONNX
  }

  /**
   * A model in a format.
   *
   * @param notes sentences on what is otherwise than here, for the user
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Exported(byte[] bytes, List<String> notes) {}

  /**
   * Writes a model.
   *
   * @throws ExchangeException in one sentence, if the format cannot say it
   */
  public static Exported of(Model model, Format format) throws ExchangeException {
    return switch (format) {
      case JSON -> text(JsonWriter.write(model) + "\n", List.of());
      case LIGHTGBM -> {
        LightGbmWriter.Written written = LightGbmWriter.write(model);
        yield text(written.text(), written.notes());
      }
      case XGBOOST -> {
        XgboostWriter.Written written = XgboostWriter.write(model);
        yield text(written.json(), written.notes());
      }
      case ONNX -> {
        OnnxWriter.Written written = OnnxWriter.write(model);
        yield new Exported(written.bytes(), written.notes());
      }
    };
  }

  private static Exported text(String text, List<String> notes) {
    return new Exported(text.getBytes(StandardCharsets.UTF_8), notes);
  }
}
