package io.holdfast.cli.demo;

import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Broker, topics, service and trainer in this process. Started and closed by one thread. */
public final class Demo implements AutoCloseable {
  private static final int PARTITIONS = 2;

  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final Path folder;
  private final EmbeddedBroker broker;
  private final Settings settings;
  private final Service service;
  private final Trainer trainer;

  private Demo(@Nullable Path given, int port) throws IOException {
    folder = given == null ? Files.createTempDirectory("holdfast-demo-") : given;
    if (given == null) {
      running.push(() -> remove(folder));
    }
    boolean complete = false;
    try {
      broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
      running.push(broker);
      settings = DemoModel.settings(broker.bootstrapServers(), folder.resolve("streams"), port);
      var _ = TopicCheck.create(settings, PARTITIONS);
      SchemaTopic.register(
          settings.kafka(),
          settings.topics().schemas(),
          DemoModel.model().topics().records(),
          DemoModel.schema());
      service = Service.start(settings);
      running.push(service);
      trainer = Trainer.start(settings);
      running.push(trainer);
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  /** Starts everything; a null folder is temporary and removed at the end, port 0 any free one. */
  public static Demo start(@Nullable Path folder, int port) throws IOException {
    return new Demo(folder, port);
  }

  public Settings settings() {
    return settings;
  }

  public URI dashboard() {
    return service.url();
  }

  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  public Path folder() {
    return folder;
  }

  boolean ready() {
    return service.ready() && trainer.ready();
  }

  @Override
  @SuppressWarnings("IllegalCatch") // whatever one part throws, the others must be stopped too
  public void close() {
    RuntimeException first = null;
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        if (first == null) {
          first = new IllegalStateException("the demo did not stop cleanly: " + e, e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private static void remove(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the temporary folder " + folder + " was not removed", e);
    }
  }
}
