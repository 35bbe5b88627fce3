package io.holdfast.boosting;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * The numbers that show what is wrong in the notes this engine was built from: its own results must
 * be the right ones. Each package tests those that are about it.
 */
public final class GoldenErrata {
  private static final String FILE = "seed_errors.json";

  /** Those that some test computes. */
  static final Set<String> COMPUTED =
      Set.of(
          "000-01", "000-02", "000-03", "000-04", "000-05", "000-06", "001-01", "001-02", "001-05",
          "002-01", "002-03", "002-06", "002-07", "003-01", "003-02", "003-03", "003-05", "003-07",
          "004-01", "004-05");

  private GoldenErrata() {}

  /** Tests of what is found wrong under these identifiers, each with its witness. */
  public static Stream<DynamicTest> tests(Map<String, Consumer<JsonNode>> checks) {
    if (!COMPUTED.containsAll(checks.keySet())) {
      throw new IllegalArgumentException("not among those computed: " + checks.keySet());
    }
    return GoldenFiles.tests(
        FILE,
        vectors ->
            GoldenFiles.entries(vectors.get("errors"))
                .filter(error -> error.has("witness"))
                .flatMap(
                    error ->
                        Stream.ofNullable(checks.get(id(error))).map(check -> test(error, check))));
  }

  private static DynamicTest test(JsonNode error, Consumer<JsonNode> check) {
    return DynamicTest.dynamicTest(
        id(error) + " " + error.get("where").asText(), () -> check.accept(error.get("witness")));
  }

  /** The identifiers of those that have a witness. */
  static List<String> witnessed(JsonNode vectors) {
    return GoldenFiles.entries(vectors.get("errors"))
        .filter(error -> error.has("witness"))
        .map(GoldenErrata::id)
        .toList();
  }

  private static String id(JsonNode error) {
    return error.get("id").asText();
  }
}
