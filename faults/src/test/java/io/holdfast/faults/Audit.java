package io.holdfast.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.CliRun;
import java.nio.file.Path;
import java.util.Set;

/**
 * What {@code holdfast audit} found on the topics of all models together.
 *
 * @param findings in its own words; empty if all is as promised
 */
public record Audit(
    long records, long scores, long lost, long doubled, long wrong, String findings) {
  private static final Set<String> LOST = Set.of("RECORD_LOST");
  private static final Set<String> DOUBLED =
      Set.of("RECORD_DOUBLED", "EXAMPLE_DOUBLED", "LABEL_REUSED");

  /** Reads all topics that a configuration names. */
  public static Audit of(Path config) {
    CliRun run = CliRun.of("audit", "--config=" + config, "--json");
    JsonNode verdicts;
    try {
      verdicts = new ObjectMapper().readTree(run.out()).path("models");
    } catch (JsonProcessingException e) {
      throw new AssertionError("no verdict: " + run, e);
    }
    if (verdicts.isEmpty()) {
      throw new AssertionError("no verdict: " + run);
    }
    long[] counts = new long[5];
    StringBuilder findings = new StringBuilder();
    for (JsonNode verdict : verdicts) {
      counts[0] += verdict.path("counts").path("records").asLong();
      counts[1] += verdict.path("counts").path("recomputed").asLong();
      verdict
          .path("broken")
          .properties()
          .forEach(
              kind -> {
                int place = LOST.contains(kind.getKey()) ? 2 : 3;
                if (place == 3 && !DOUBLED.contains(kind.getKey())) {
                  place = 4;
                }
                counts[place] += kind.getValue().asLong();
              });
      verdict.path("findings").forEach(finding -> findings.append(finding).append('\n'));
    }
    return new Audit(counts[0], counts[1], counts[2], counts[3], counts[4], findings.toString());
  }

  /** Whether all is as promised. */
  public boolean clean() {
    return lost + doubled + wrong == 0;
  }
}
