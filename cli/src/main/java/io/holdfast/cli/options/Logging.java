package io.holdfast.cli.options;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;

/** How much is logged, to standard error. Stateless. */
public final class Logging {
  private Logging() {}

  /** From now on what happens is logged, and not only what goes wrong. */
  public static void tellWhatHappens() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logging) {
      logging.getLogger("io.holdfast").setLevel(Level.INFO);
    }
  }

  /** Unless more was asked for, only errors are logged: the demo itself says what happens. */
  public static void logErrorsAlone() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logging
        && logging.getLogger("io.holdfast").getLevel() != Level.INFO) {
      logging.getLogger("io.holdfast").setLevel(Level.ERROR);
    }
  }

  /** Kafka's warnings are logged, too. */
  public static void tellKafkasWarnings() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logging) {
      logging.getLogger("org.apache.kafka").setLevel(Level.WARN);
      logging.getLogger("org.apache.kafka.streams").setLevel(Level.WARN);
    }
  }
}
