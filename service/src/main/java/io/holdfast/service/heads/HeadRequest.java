package io.holdfast.service.heads;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.Suggestion;
import io.holdfast.service.request.JsonRecords;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of a head action, read strictly: a misspelt version must not become another. */
record HeadRequest(@Nullable Long version, @Nullable Double gamma, String why) {
  private static final int MOST_CHARACTERS = 1_000;
  private static final List<String> KEYS = List.of("version", "gamma", "why");

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
    return new HeadRequest(
        given(version) ? version.asLong() : null,
        given(gamma) ? gamma.asDouble() : null,
        why(root));
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
