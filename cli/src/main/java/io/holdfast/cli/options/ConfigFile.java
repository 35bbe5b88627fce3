package io.holdfast.cli.options;

import io.holdfast.schemas.settings.Settings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The configuration file. */
public final class ConfigFile {
  static final String FLAG = "--config";

  private static final String VARIABLE = "HOLDFAST_CONFIG";

  @Option(
      names = FLAG,
      paramLabel = "FILE",
      description = "The configuration file (default: that of HOLDFAST_CONFIG).")
  private @Nullable Path config;

  /** Whether a file was named, on the command line or in the environment. */
  public boolean given() {
    return file() != null;
  }

  /** Whether a file was named on the command line. */
  public boolean named() {
    return config != null;
  }

  /**
   * Reads the file.
   *
   * @throws CommandException if none was named
   * @throws io.holdfast.schemas.settings.SettingsException if it is not right
   */
  public Settings settings() {
    return Settings.read(needed(), System.getenv());
  }

  /** The same, with keys of a model set over those of the file. */
  Settings settings(String model, Map<String, String> changes) {
    return Settings.read(needed(), System.getenv(), model, changes);
  }

  private Path needed() {
    Path file = file();
    if (file == null) {
      throw CommandException.usage(
          "a configuration is needed: name its file with --config or in " + VARIABLE);
    }
    return file;
  }

  /** The file; null if none was named. */
  @Nullable Path path() {
    return file();
  }

  private @Nullable Path file() {
    return config != null ? config : ofEnvironment().orElse(null);
  }

  /** The file that the environment names, if it does. */
  static Optional<Path> ofEnvironment() {
    return Optional.ofNullable(System.getenv(VARIABLE)).map(Path::of);
  }

  @Override
  public String toString() {
    return String.valueOf(file());
  }
}
