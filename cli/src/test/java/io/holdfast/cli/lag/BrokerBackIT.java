package io.holdfast.cli.lag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.lag.LagMonitor;
import io.holdfast.schemas.trouble.Troubles;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A broker that was missing and comes back: one line says so. */
class BrokerBackIT {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir Path folder;

  @Test
  void broker_thatComesBack_isLoggedOnce() throws Exception {
    int port;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    var log = (Logger) LoggerFactory.getLogger(LagMonitor.class);
    log.setLevel(Level.INFO);
    log.addAppender(lines);
    var problem = new AtomicReference<>(Optional.of("not asked yet"));
    try (var monitor =
        new LagMonitor(
            Map.of("bootstrap.servers", "127.0.0.1:" + port),
            List.of(),
            new Troubles(InstantSource.system()),
            _ -> true,
            now -> problem.set(Optional.ofNullable(now)),
            InstantSource.system())) {
      monitor.start();
      await().atMost(LIMIT).until(() -> problem.get().orElse("").contains("127.0.0.1:" + port));
      assertThat(lines.list).isEmpty();
      try (EmbeddedBroker _ = EmbeddedBroker.start(folder.resolve("broker"), port)) {
        await().atMost(LIMIT).until(() -> problem.get().isEmpty());
        assertThat(lines.list).singleElement().hasToString("[INFO] the broker answers again");
      }
    } finally {
      log.detachAppender(lines);
    }
  }
}
