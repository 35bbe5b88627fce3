package io.holdfast.cli.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;

/**
 * The folder that holds a broker's data, locked for one broker at a time until closed. Kafka's own
 * lock would do, but it is taken late and its failure ends the process.
 */
final class BrokerFolder implements AutoCloseable {
  private final Path log;
  private final FileChannel channel;

  private BrokerFolder(Path log, FileChannel channel) {
    this.log = log;
    this.channel = channel;
  }

  /** Makes the folder if it is missing, and locks it. */
  static BrokerFolder lock(Path folder) {
    try {
      Files.createDirectories(folder);
      var channel =
          FileChannel.open(
              folder.resolve("holdfast.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (tryLock(channel) == null) {
        channel.close();
        throw new BrokerException(
            "the folder %s is in use by another broker: stop that one or name another folder",
            folder);
      }
      return new BrokerFolder(folder.resolve("log").toAbsolutePath(), channel);
    } catch (IOException e) {
      throw new BrokerException(
              "the folder %s cannot be used for the broker's data (%s): name one that can be"
                  + " written to",
              folder, e)
          .because(e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException sameProcess) {
      return null;
    }
  }

  Path log() {
    return log;
  }

  /** Formats the log folder unless an earlier broker has. */
  @SuppressWarnings("IllegalCatch") // Kafka's formatter declares java.lang.Exception
  void formatOnce(int nodeId, String controllerListener) {
    if (Files.exists(log.resolve("meta.properties"))) {
      return;
    }
    try (var nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      new Formatter()
          .setPrintStream(nowhere)
          .setNodeId(nodeId)
          .setClusterId(Uuid.randomUuid().toString())
          .setControllerListenerName(controllerListener)
          .setMetadataLogDirectory(log.toString())
          .setDirectories(List.of(log.toString()))
          .setIgnoreFormatted(true)
          .run();
    } catch (Exception e) {
      throw new BrokerException("the folder %s could not be formatted for Kafka: %s", log, e)
          .because(e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new BrokerException("the lock of folder %s was lost: %s", log, e).because(e);
    }
  }
}
