package io.holdfast.exchange;

import io.holdfast.boosting.model.Model;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ExportedModel;
import io.holdfast.exchange.json.JsonWriter;
import io.holdfast.exchange.lightgbm.LightGbmWriter;
import io.holdfast.exchange.onnx.OnnxWriter;
import io.holdfast.exchange.pmml.PmmlWriter;
import io.holdfast.exchange.xgboost.XgboostWriter;
import java.util.ArrayList;
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
    ONNX,
    /** PMML 4.4. */
    PMML
  }

  /** Writes a model whose classes have no names. */
  public static ExportedModel of(Model model, Format format) throws ExchangeException {
    return of(model, List.of(), format);
  }

  /**
   * Writes a model.
   *
   * @param classes their names in order; none if they are known by number alone
   * @throws ExchangeException in one sentence, if the format cannot say it
   */
  public static ExportedModel of(Model model, List<String> classes, Format format)
      throws ExchangeException {
    return switch (format) {
      case JSON -> ExportedModel.of(JsonWriter.write(model, classes) + "\n", List.of());
      case LIGHTGBM -> numbered(LightGbmWriter.write(model), classes);
      case XGBOOST -> numbered(XgboostWriter.write(model), classes);
      case ONNX -> OnnxWriter.write(model, classes);
      case PMML -> PmmlWriter.write(model, classes);
    };
  }

  private static ExportedModel numbered(ExportedModel written, List<String> classes) {
    if (classes.isEmpty()) {
      return written;
    }
    List<String> notes = new ArrayList<>(written.notes());
    notes.add(
        "The format has no names of classes: they are 0, 1 and so on for "
            + String.join(", ", classes)
            + ".");
    return new ExportedModel(written.bytes(), notes);
  }
}
