package io.holdfast.service.rest;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.holdfast.schemas.Suggestion;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the body of a head action says, strictly: a version that was misspelt must not become
 * another.
 *
 * @param version null if it names none
 * @param gamma null if it names none
 * @param by who asks
 * @param why in their words
 */
record HeadRequest(@Nullable Long version, @Nullable Double gamma, String by, String why) {
  private static final int MOST_CHARACTERS = 1_000;
  private static final List<String> KEYS = List.of("version", "gamma", "by", "why");
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /**
   * Reads a body.
   *
   * @throws BadRequestException in one sentence, if it is none
   */
  static HeadRequest parse(byte[] body) throws BadRequestException {
    JsonNode root;
    try {
      root = JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new BadRequestException("the body is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new BadRequestException("the body is not JSON: " + e.getMessage());
    }
    if (!root.isObject()) {
      throw new BadRequestException(
          "the body must be a JSON object, such as {\"version\": 12, \"by\": \"ana\", \"why\":"
              + " \"...\"}");
    }
    for (Iterator<String> names = root.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!KEYS.contains(name)) {
        throw new BadRequestException(
            name
                + " is no key of a head action, which are "
                + String.join(", ", KEYS)
                + Suggestion.ending(name, KEYS));
      }
    }
    return new HeadRequest(
        version(root.path("version")),
        gamma(root.path("gamma")),
        text(root, "by"),
        text(root, "why"));
  }

  private static @Nullable Double gamma(JsonNode node) throws BadRequestException {
    if (node.isMissingNode() || node.isNull()) {
      return null;
    }
    if (!node.isNumber() || !(node.asDouble() >= 0 && node.asDouble() < Double.MAX_VALUE)) {
      throw new BadRequestException("gamma must be a number, 0 or more: " + node);
    }
    return node.asDouble();
  }

  private static @Nullable Long version(JsonNode node) throws BadRequestException {
    if (node.isMissingNode() || node.isNull()) {
      return null;
    }
    if (!node.isIntegralNumber() || !node.canConvertToLong() || node.asLong() < 0) {
      throw new BadRequestException("version must be a whole number, 0 or more: " + node);
    }
    return node.asLong();
  }

  private static String text(JsonNode root, String name) throws BadRequestException {
    JsonNode node = root.path(name);
    if (node.isMissingNode() || node.isNull()) {
      return "";
    }
    if (!node.isTextual() || node.asText().length() > MOST_CHARACTERS) {
      throw new BadRequestException(
          name + " must be a text of at most " + MOST_CHARACTERS + " characters");
    }
    return node.asText();
  }
}
