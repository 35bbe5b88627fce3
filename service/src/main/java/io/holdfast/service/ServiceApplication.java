package io.holdfast.service;

import io.holdfast.schemas.file.LocaleNames;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.settings.SettingsException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The service as a program: {@code --config FILE}, or the environment variable {@code
 * HOLDFAST_CONFIG}. Ends with 0 when told to stop, 1 if it cannot start, 2 for a mistake in the
 * command line or the configuration.
 */
public final class ServiceApplication {
  private static final String USAGE =
      "usage: holdfast-service --config FILE (or set HOLDFAST_CONFIG)";
  private static final String LOGGING = "logback.configurationFile";

  private ServiceApplication() {}

  public static void main(String[] arguments) {
    if (System.getProperty(LOGGING) == null) {
      System.setProperty(LOGGING, "logback-holdfast-service.xml");
    }
    LocaleNames.printUtf8();
    int code = run(List.of(arguments), System.getenv(), System.out, System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  /** Runs until the JVM is told to stop; the exit code. */
  static int run(
      List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
    String config = config(arguments, environment);
    if (config == null) {
      err.println(USAGE);
      return 2;
    }
    String problem = LocaleNames.problem(List.of(config));
    if (problem != null) {
      err.println(problem);
      return 2;
    }
    try {
      Service service = Service.start(Settings.read(Path.of(config), environment));
      out.println("Holdfast service listens on " + service.url());
      awaitShutdown(service);
      return 0;
    } catch (SettingsException e) {
      err.println(e.getMessage());
      return 2;
    } catch (ServiceStartException e) {
      err.println(e.getMessage());
      return 1;
    }
  }

  private static @Nullable String config(List<String> arguments, Map<String, String> environment) {
    if (arguments.size() == 2 && arguments.getFirst().equals("--config")) {
      return arguments.getLast();
    }
    String file = environment.get("HOLDFAST_CONFIG");
    return arguments.isEmpty() ? file : null;
  }

  private static void awaitShutdown(Service service) {
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  service.close();
                  stopped.countDown();
                },
                "holdfast-stop"));
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
