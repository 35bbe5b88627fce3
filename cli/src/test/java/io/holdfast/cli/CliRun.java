package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.schemas.file.OutputSink;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;

/** One run of the command in this process: its exit code and what it wrote. */
public record CliRun(int exitCode, String out, String err) {

  public static CliRun of(String... arguments) {
    var out = new ByteArrayOutputStream();
    CliRun run = to(out, arguments);
    return new CliRun(run.exitCode(), out.toString(UTF_8), run.err());
  }

  /** A run with its standard input from elsewhere. */
  public static CliRun from(InputStream in, String... arguments) {
    InputStream before = System.in;
    System.setIn(in);
    try {
      return of(arguments);
    } finally {
      System.setIn(before);
    }
  }

  /** A run with its standard output elsewhere. */
  public static CliRun to(OutputStream out, String... arguments) {
    StringWriter err = new StringWriter();
    int exitCode =
        Holdfast.run(arguments, OutputSink.standardOutput(out), new PrintWriter(err, true));
    return new CliRun(exitCode, "", err.toString());
  }

  /** What was written to standard output, which must be JSON and nothing else. */
  public JsonNode json() {
    assertThat(exitCode).as(err).isZero();
    try {
      return new ObjectMapper().readTree(out);
    } catch (JsonProcessingException e) {
      throw new AssertionError("not JSON: " + out, e);
    }
  }

  /** Asserts that it failed with one sentence that has all of {@code parts}, and nothing else. */
  public void saysOneSentence(int code, String... parts) {
    assertThat(exitCode).as(err).isEqualTo(code);
    assertThat(out).isEmpty();
    assertThat(err).startsWith("holdfast: ").contains(parts).doesNotContain("\tat ");
    assertThat(err.lines().filter(line -> !line.startsWith("Try '")).count()).as(err).isOne();
  }
}
