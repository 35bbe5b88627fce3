package io.holdfast.trainer.runtime;

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
 * The trainer as a program: {@code --config FILE}, or the environment variable {@code
 * HOLDFAST_CONFIG}. Runs until it is told to stop; exit code 1 if it cannot start, 2 if the
 * configuration or the command line is wrong.
 */
public final class TrainerApplication {
  /*
   * No logger here: the first one made reads the logging configuration, which main sets.
   */
  private static final String LOGGING = "logback.configurationFile";
  private static final String USAGE =
      "usage: holdfast-trainer --config FILE (or set HOLDFAST_CONFIG)";

  private TrainerApplication() {}

  /** Runs the trainer. */
  public static void main(String[] arguments) {
    if (System.getProperty(LOGGING) == null) {
      System.setProperty(LOGGING, "logback-holdfast-trainer.xml");
    }
    LocaleNames.printUtf8();
    int code = run(List.of(arguments), System.getenv(), System.out, System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  /** Starts, and waits until the process is told to stop; the exit code if it cannot start. */
  static int run(
      List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
    String file = configuration(arguments, environment);
    if (file == null) {
      err.println(USAGE);
      return 2;
    }
    String problem = LocaleNames.problem(List.of(file));
    if (problem != null) {
      err.println(problem);
      return 2;
    }
    try {
      Trainer trainer = Trainer.start(Settings.read(Path.of(file), environment));
      out.println("Holdfast trainer listens on " + trainer.url());
      var closed = new CountDownLatch(1);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    trainer.close();
                    closed.countDown();
                  },
                  "stop"));
      closed.await();
      return 0;
    } catch (SettingsException e) {
      err.println(e.getMessage());
      return 2;
    } catch (StartException e) {
      err.println(e.getMessage());
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private static @Nullable String configuration(
      List<String> arguments, Map<String, String> environment) {
    if (arguments.isEmpty()) {
      return environment.get("HOLDFAST_CONFIG");
    }
    return arguments.size() == 2 && arguments.getFirst().equals("--config")
        ? arguments.get(1)
        : null;
  }
}
