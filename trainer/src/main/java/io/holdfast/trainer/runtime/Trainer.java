package io.holdfast.trainer.runtime;

import io.holdfast.schemas.settings.Settings;

/**
 * A running trainer: one thread for every model of the settings, and an HTTP server for health and
 * metrics. Thread-safe.
 */
public final class Trainer implements AutoCloseable {
  private final Settings settings;

  private Trainer(Settings settings) {
    this.settings = settings;
  }

  /**
   * Starts it in this process and returns once the HTTP server listens; the models' threads go on
   * starting.
   *
   * @throws StartException if the broker or a topic is not as it must be, or the port is taken
   */
  public static Trainer start(Settings settings) {
    return new Trainer(settings);
  }

  /** The HTTP port it listens on. */
  public int port() {
    return settings.trainer().port();
  }

  /** Stops every model's thread where it stands; what was not committed is done again next time. */
  @Override
  public void close() {}
}
