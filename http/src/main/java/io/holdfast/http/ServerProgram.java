package io.holdfast.http;

import io.holdfast.http.trace.Tracing;
import io.holdfast.schemas.StartException;
import io.holdfast.schemas.file.LocaleNames;
import io.holdfast.schemas.file.LogFormat;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.settings.SettingsException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server as a program: {@code --config FILE}, or the environment variable {@code
 * HOLDFAST_CONFIG}. Ends with 0 when told to stop, 1 if it cannot start, 2 for a mistake in the
 * command line or the configuration.
 */
public final class ServerProgram {
  // No logger here: the first one made reads the logging configuration, which main sets.
  private static final String LOGGING = "logback.configurationFile";

  private final String role;
  private final Function<Settings, ? extends Server> start;

  /** A server that runs until it is closed. */
  public interface Server extends AutoCloseable {
    /** Where it listens. */
    URI url();

    @Override
    void close();
  }

  /** {@code role} is {@code service} or {@code trainer}. */
  public ServerProgram(String role, Function<Settings, ? extends Server> start) {
    this.role = role;
    this.start = start;
  }

  /** Runs the program in this process. */
  public void main(String[] arguments) {
    if (System.getProperty(LOGGING) == null) {
      System.setProperty(LOGGING, "logback-holdfast-" + role + ".xml");
    }
    LocaleNames.printUtf8();
    int code = run(List.of(arguments), System.getenv(), System.out, System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  /** Runs until the JVM is told to stop; the exit code. */
  public int run(
      List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
    String config = config(arguments, environment);
    String problem =
        config == null
            ? "usage: holdfast-" + role + " --config FILE (or set HOLDFAST_CONFIG)"
            : LocaleNames.problem(List.of(config));
    problem = problem == null ? LogFormat.problem(environment) : problem;
    if (config == null || problem != null) {
      err.println(problem);
      return 2;
    }
    try (Tracing.Stop _ = Tracing.start(role, environment)) {
      Server server = start.apply(Settings.read(Path.of(config), environment));
      out.println("Holdfast " + role + " listens on " + server.url());
      awaitShutdown(server);
      return 0;
    } catch (SettingsException e) {
      err.println(e.getMessage());
      return 2;
    } catch (StartException e) {
      err.println(e.getMessage());
      return 1;
    }
  }

  private static @Nullable String config(List<String> arguments, Map<String, String> environment) {
    if (arguments.size() == 2 && arguments.getFirst().equals("--config")) {
      return arguments.getLast();
    }
    return arguments.isEmpty() ? environment.get("HOLDFAST_CONFIG") : null;
  }

  private static void awaitShutdown(Server server) {
    var stopped = new CountDownLatch(1);
    Runnable stop =
        () -> {
          server.close();
          stopped.countDown();
        };
    Runtime.getRuntime().addShutdownHook(new Thread(stop, "holdfast-stop"));
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
