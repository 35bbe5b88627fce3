package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Risk by the strength of a simulated shift. */
class ShiftCommandTest {
  private static final String[] SMALL = {
    "shift",
    "--objective=squared",
    "--rows=3000",
    "--window=500",
    "--environments=3",
    "--strengths=0,1,2,3"
  };

  @TempDir Path folder;

  private static CliRun run(String... more) {
    String[] all = new String[SMALL.length + more.length];
    System.arraycopy(SMALL, 0, all, 0, SMALL.length);
    System.arraycopy(more, 0, all, SMALL.length, more.length);
    return CliRun.of(all);
  }

  private static CliRun refused(String flag) {
    return CliRun.of("shift", "--objective=squared", flag);
  }

  /** What the equations are made for: the shift is worse than what was learned, gamma less so. */
  @Test
  void losses_riseBeyondTheStrengthLearned_lessUnderGamma() {
    // Of auto these bounds do not hold on so few rows: beyond is 1.97 of learned, and gamma 8 saves
    // 9%.
    JsonNode json = run("--gamma=1,8", "--policy=replace", "--json").json();

    assertThat(json.get("strengths"))
        .extracting(JsonNode::asDouble)
        .containsExactly(0., 1., 2., 3.);
    JsonNode plain = json.get("candidates").get(0);
    JsonNode anchored = json.get("candidates").get(1);
    assertThat(plain.get("name").asText()).isEqualTo("gamma 1");
    assertThat(anchored.get("name").asText()).isEqualTo("gamma 8");
    assertThat(plain.get("versions").asLong()).as("three of them constants").isEqualTo(10);
    double learned = plain.get("worst").get(1).asDouble();
    double beyond = plain.get("worst").get(2).asDouble();
    assertThat(beyond).isGreaterThan(2 * learned);
    assertThat(anchored.get("worst").get(2).asDouble()).isLessThan(0.9 * beyond);
    assertThat(anchored.get("servedGamma").asDouble()).isEqualTo(8);
    assertThat(plain.get("worst").get(1).asDouble())
        .isGreaterThanOrEqualTo(plain.get("loss").get(1).asDouble());
  }

  @Test
  void policiesAndLadders_areComparedAsInABacktest() {
    CliRun run =
        run("--gamma=1", "--ladder=1,8", "--serve=8", "--compare=update.policy=append,replace");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("learned at 1.0")
        .contains("append", "replace")
        .contains("in the environment that loses most");
  }

  @Test
  void page_holdsItsFigures_andNoMarkupOfTheirs() throws IOException {
    Path page = folder.resolve("shift.html");
    CliRun run = run("--gamma=1,4", "--report=" + page);
    assertThat(run.exitCode()).as(run.err()).isZero();
    String text = Files.readString(page);
    assertThat(text).contains("under a shift of strength 1<", "gamma 4", "<svg");
  }

  @Test
  void whatCannotBeSimulated_isRefusedInOneSentence() {
    CliRun.of("shift", "--objective=poisson").saysOneSentence(2, "two classes", "poisson");
    refused("--environments=1").saysOneSentence(2, "--environments", "1");
    refused("--strengths=0,NaN").saysOneSentence(2, "--strengths", "NaN");
    refused("--learned-at=Infinity").saysOneSentence(2, "--learned-at", "Infinity");
    refused("--gamma=-1").saysOneSentence(2, "--gamma", "-1");
    CliRun.of("shift").saysOneSentence(2, "--objective");
  }
}
