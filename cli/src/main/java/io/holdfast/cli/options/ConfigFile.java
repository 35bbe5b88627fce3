package io.holdfast.cli.options;

import io.holdfast.schemas.settings.Settings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

public class ConfigFile {
  static final String FLAG = "--config";
  static final String VARIABLE = "HOLDFAST_CONFIG";

  @Option(
      names = FLAG,
      paramLabel = "FILE",
      description = "The configuration file (default: that of HOLDFAST_CONFIG).")
  private @Nullable Path config;

  private boolean connects;

  /** Whether a file was named, on the command line or in the environment. */
  public final boolean given() {
    return path() != null;
  }

  /** Whether a file was named on the command line, for more than the broker of topics. */
  boolean named() {
    return config != null && !connects;
  }

  /** Says that it is there for the broker of topics that are read, whatever else it says. */
  final void connects() {
    connects = true;
  }

  public final Settings settings() {
    return Settings.read(needed(), System.getenv());
  }

  final Settings settings(String model, Map<String, String> changes) {
    return Settings.read(needed(), System.getenv(), model, changes);
  }

  private Path needed() {
    Path file = path();
    if (file == null) {
      throw CommandException.usage(
          "a configuration is needed: name its file with --config or in " + VARIABLE);
    }
    return file;
  }

  public final @Nullable Path path() {
    return config != null ? config : ofEnvironment().orElse(null);
  }

  static Optional<Path> ofEnvironment() {
    return Optional.ofNullable(System.getenv(VARIABLE)).map(Path::of);
  }
}
