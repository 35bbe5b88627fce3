package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the shells themselves complete by the scripts. */
class CompletionTest {
  @TempDir private Path folder;

  private Path script(String shell) throws IOException {
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    assertThat(Holdfast.commandLine(writer, writer).execute("completion", shell)).isZero();
    return Files.writeString(folder.resolve("holdfast." + shell), out.toString());
  }

  private static String said(String... command) throws IOException, InterruptedException {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, command[0]))),
        command[0] + " is not installed");
    Process shell = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(shell.getInputStream().readAllBytes(), UTF_8);
    assertThat(shell.waitFor()).as(said).isZero();
    return said;
  }

  private String bash(String words) throws IOException, InterruptedException {
    return said(
        "bash",
        "-c",
        ". '%s'; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _complete_holdfast 2>/dev/null;"
                .replaceFirst("%s", script("bash").toString())
                .replaceFirst("%s", words)
            + " echo ${COMPREPLY[@]}");
  }

  @Test
  void bash_completesCommandsAndOptions() throws Exception {
    assertThat(bash("holdfast ba").strip()).isEqualTo("backtest");
    assertThat(bash("holdfast models ro").strip()).isEqualTo("rollback");
    assertThat(bash("holdfast fit --learning").strip()).isEqualTo("--learning-rate");
  }

  @Test
  void zsh_readsTheSameScript() throws Exception {
    String loaded =
        "autoload -Uz compinit && compinit -u; . '"
            + script("zsh")
            + "'; whence -w _complete_holdfast";
    assertThat(said("zsh", "-fc", loaded)).contains("function");
  }

  @Test
  void fish_completesCommandsAndOptions() throws Exception {
    String script = ". '" + script("fish") + "'; complete -C '";
    assertThat(said("fish", "-c", script + "holdfast ba'")).startsWith("backtest\t");
    assertThat(said("fish", "-c", script + "holdfast models ro'")).startsWith("rollback\t");
    assertThat(said("fish", "-c", script + "holdfast fit --learning'"))
        .startsWith("--learning-rate\t");
    assertThat(said("fish", "-c", script + "holdfast completion '")).contains("zsh");
  }
}
