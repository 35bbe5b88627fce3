package io.holdfast.cli.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;

/** All that is logged at INFO and above, Kafka's clients' settings included, as text. */
final class CapturedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final ByteArrayOutputStream log;
  private final Map<Logger, Level> levels = new LinkedHashMap<>();

  CapturedLog(ByteArrayOutputStream log) {
    this.log = log;
    for (String name :
        List.of(org.slf4j.Logger.ROOT_LOGGER_NAME, "org.apache.kafka", "io.holdfast")) {
      Logger logger = (Logger) LoggerFactory.getLogger(name);
      levels.put(logger, logger.getLevel());
      logger.setLevel(Level.INFO);
    }
    start();
    root().addAppender(this);
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  @Override
  protected void append(ILoggingEvent event) {
    String thrown =
        event.getThrowableProxy() == null
            ? ""
            : ThrowableProxyUtil.asString(event.getThrowableProxy());
    log.writeBytes((event.getFormattedMessage() + "\n" + thrown).getBytes(UTF_8));
  }

  @Override
  public void close() {
    root().detachAppender(this);
    levels.forEach(Logger::setLevel);
  }
}
