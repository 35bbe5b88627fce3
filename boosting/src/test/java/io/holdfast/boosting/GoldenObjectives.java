package io.holdfast.boosting;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.OrdinalLink;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Thresholds;
import java.util.HashMap;
import java.util.Map;

/** The objectives that reference vectors speak of, by their names and parameters there. */
public final class GoldenObjectives {
  private GoldenObjectives() {}

  /**
   * The objective of a family of reference vectors.
   *
   * @param family for example {@code ordinal_logit}
   * @param parameters the node {@code params}, which may be missing
   * @param outputs how many raw scores a row has
   */
  public static Objective of(String family, JsonNode parameters, int outputs) {
    return switch (family) {
      case "multinomial", "softmax" -> new Softmax(outputs);
      case "ordinal_logit" -> ordinal(OrdinalLink.LOGIT, parameters);
      case "ordinal_probit" -> ordinal(OrdinalLink.PROBIT, parameters);
      case "beta" -> Beta.ofPrecision(parameters.get("phi").asDouble());
      default -> {
        Map<String, Double> named = new HashMap<>();
        parameters.properties().forEach(p -> named.put(p.getKey(), p.getValue().asDouble()));
        yield Objective.of(family, named);
      }
    };
  }

  private static Ordinal ordinal(OrdinalLink link, JsonNode parameters) {
    double[] thresholds = GoldenNumbers.doubles(parameters.get("theta"));
    return new Ordinal(thresholds.length + 1, link, Thresholds.of(thresholds));
  }
}
