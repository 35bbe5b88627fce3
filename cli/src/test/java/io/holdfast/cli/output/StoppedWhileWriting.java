package io.holdfast.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.EventRequest;
import io.holdfast.cli.Holdfast;
import io.holdfast.schemas.file.OutputFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A command in a process of its own that gets a signal while its output is all written and not yet
 * under its name: a debugger holds its thread there, so that this is no matter of time.
 */
public final class StoppedWhileWriting {
  private static final long PATIENCE_MILLIS = 120_000;

  private StoppedWhileWriting() {}

  /**
   * Runs a command that writes {@code target}, and asserts that the signal leaves what was there,
   * and nothing else in its folder.
   *
   * @param signal as kill takes it: INT or TERM
   * @param code with which the process is to end
   */
  public static void assertLeavesTheOldFile(
      Path target, String signal, int code, List<String> command)
      throws IOException, InterruptedException {
    byte[] before = Files.readAllBytes(target);
    List<Path> files = files(target);
    Process process = start(command);
    try (BufferedReader out = process.inputReader(UTF_8)) {
      VirtualMachine machine = attach(port(out));
      holdBeforeTheRename(machine, out);
      List<Path> held = new ArrayList<>(files(target));
      held.removeAll(files);
      assertThat(held).as("a temporary file").hasSize(1);
      assertThat(held.getFirst()).isNotEmptyFile();
      assertThat(
              new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                  .start()
                  .waitFor())
          .isZero();
      assertThat(process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(code);
      assertThat(out.lines()).as("what it says").noneMatch(line -> line.contains("\tat "));
    } finally {
      process.destroyForcibly();
    }
    assertThat(target).hasBinaryContent(before);
    assertThat(files(target)).isEqualTo(files);
  }

  private static Process start(List<String> command) throws IOException {
    List<String> java =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Holdfast.class.getName()));
    java.addAll(command);
    return new ProcessBuilder(java).redirectErrorStream(true).start();
  }

  private static String port(BufferedReader out) throws IOException {
    String line = String.valueOf(out.readLine());
    assertThat(line).startsWith("Listening for transport dt_socket at address: ");
    return line.substring(line.lastIndexOf(' ') + 1);
  }

  private static VirtualMachine attach(String port) throws IOException {
    AttachingConnector connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(one -> one.name().equals("com.sun.jdi.SocketAttach"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
    requireNonNull(arguments.get("port")).setValue(port);
    try {
      return connector.attach(arguments);
    } catch (com.sun.jdi.connect.IllegalConnectorArgumentsException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static void holdBeforeTheRename(VirtualMachine machine, BufferedReader out)
      throws IOException, InterruptedException {
    var prepared = machine.eventRequestManager().createClassPrepareRequest();
    prepared.addClassFilter(OutputFile.class.getName());
    prepared.enable();
    while (true) {
      EventSet events = machine.eventQueue().remove(PATIENCE_MILLIS);
      assertThat(events).as("comes to write").isNotNull();
      for (Event event : events) {
        switch (event) {
          case BreakpointEvent _ -> {
            return; // its thread stays where it is
          }
          case ClassPrepareEvent loaded -> {
            var rename = loaded.referenceType().methodsByName("move").getFirst().location();
            var stop = machine.eventRequestManager().createBreakpointRequest(rename);
            stop.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            stop.enable();
          }
          case com.sun.jdi.event.VMDeathEvent _ ->
              throw new AssertionError("it ended before it wrote: " + out.readLine());
          default -> {}
        }
      }
      events.resume();
    }
  }

  private static List<Path> files(Path target) throws IOException {
    try (Stream<Path> files = Files.list(target.toAbsolutePath().getParent())) {
      return files.sorted().toList();
    }
  }
}
