package io.holdfast.exchange;

import io.holdfast.boosting.model.Model;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ExportedModel;
import io.holdfast.exchange.json.JsonWriter;
import io.holdfast.exchange.lightgbm.LightGbmWriter;
import io.holdfast.exchange.onnx.OnnxWriter;
import io.holdfast.exchange.xgboost.XgboostWriter;
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
   * Writes a model.
   *
   * @throws ExchangeException in one sentence, if the format cannot say it
   */
  public static ExportedModel of(Model model, Format format) throws ExchangeException {
    return switch (format) {
      case JSON -> ExportedModel.of(JsonWriter.write(model) + "\n", List.of());
      case LIGHTGBM -> LightGbmWriter.write(model);
      case XGBOOST -> XgboostWriter.write(model);
      case ONNX -> OnnxWriter.write(model);
    };
  }
}
