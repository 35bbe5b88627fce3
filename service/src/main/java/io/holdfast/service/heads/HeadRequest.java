package io.holdfast.service.heads;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.Suggestion;
import io.holdfast.service.request.JsonRecords;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a head action, read strictly: a misspelt version must not become another.
 *
 * @param promoteWhen better, if a shadow is to be promoted once it is shown to be
 * @param error the rate of errors of that
 */
record HeadRequest(
    @Nullable Long version,
    @Nullable Double gamma,
    @Nullable String promoteWhen,
    @Nullable Double error,
    String why) {
  private static final int MOST_CHARACTERS = 1_000;
  private static final double USUAL_ERROR = 0.01;
  private static final String BETTER = "better";
  private static final List<String> KEYS =
      List.of("version", "gamma", "promoteWhen", "error", "why");

  static HeadRequest parse(byte[] body) {
    JsonNode root = JsonRecords.parse(body);
    if (!root.isObject()) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY,
          """
          the body must be a JSON object, such as {"version": 12, "why": "..."}\
          """);
    }
    for (String name : (Iterable<String>) root::fieldNames) {
      if (!KEYS.contains(name)) {
        throw new ProblemException(
            ProblemKind.MALFORMED_BODY,
            Sentence.of(
                "%s is no key of a head action, which are %s%s",
                name, String.join(", ", KEYS), Suggestion.ending(name, KEYS)));
      }
    }
    JsonNode version = root.path("version");
    if (given(version)
        && !(version.isIntegralNumber() && version.canConvertToLong() && version.asLong() >= 0)) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY, "version must be a whole number, 0 or more: " + version);
    }
    JsonNode gamma = root.path("gamma");
    if (given(gamma)
        && !(gamma.isNumber() && gamma.asDouble() >= 0 && gamma.asDouble() < Double.MAX_VALUE)) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY, "gamma must be a number, 0 or more: " + gamma);
    }
    JsonNode when = root.path("promoteWhen");
    if (given(when) && !when.asText().equals(BETTER)) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY, "promoteWhen knows \"better\" alone: " + when);
    }
    JsonNode error = root.path("error");
    if (given(error)
        && !(given(when) && error.isNumber() && error.asDouble() > 0 && error.asDouble() < 1)) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY,
          "error must be a number above 0 and below 1, beside promoteWhen: " + error);
    }
    return new HeadRequest(
        given(version) ? version.asLong() : null,
        given(gamma) ? gamma.asDouble() : null,
        given(when) ? BETTER : null,
        given(error) ? error.asDouble() : null,
        why(root));
  }

  /** The rate of errors by which a shadow is to be promoted; null if it is not to. */
  @Nullable Double promoteError() {
    return promoteWhen == null || error != null ? error : (Double) USUAL_ERROR;
  }

  private static boolean given(JsonNode node) {
    return !node.isMissingNode() && !node.isNull();
  }

  private static String why(JsonNode root) {
    JsonNode node = root.path("why");
    if (given(node) && (!node.isTextual() || node.asText().length() > MOST_CHARACTERS)) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY,
          "why must be a text of at most " + MOST_CHARACTERS + " characters");
    }
    return given(node) ? node.asText().strip() : "";
  }
}
