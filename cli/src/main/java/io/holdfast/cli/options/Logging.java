package io.holdfast.cli.options;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** How much is logged, to standard error. Stateless. */
public final class Logging {
  private static final String CONFIGURATION = "logback.configurationFile";

  private Logging() {}

  /** Before anything is logged: as the command logs, unless the user has a configuration. */
  public static void configure() {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, "logback-holdfast-cli.xml");
    }
  }

  /** From now on what happens is logged, and not only what goes wrong. */
  public static void tellWhatHappens() {
    logger("io.holdfast").setLevel(Level.INFO);
  }

  /** Unless more was asked for, only errors are logged: the demo itself says what happens. */
  public static void logErrorsAlone() {
    if (logger("io.holdfast").getLevel() != Level.INFO) {
      logger("io.holdfast").setLevel(Level.ERROR);
    }
  }

  /** Kafka's warnings are logged, too. */
  public static void tellKafkasWarnings() {
    logger("org.apache.kafka").setLevel(Level.WARN);
    logger("org.apache.kafka.streams").setLevel(Level.WARN);
  }

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }
}
