package io.holdfast.service;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what an application id has in a state directory for one service. The system takes the lock
 * away when the process ends, however that is.
 */
final class StateLock implements AutoCloseable {
  private final @Nullable FileChannel channel;

  private StateLock(@Nullable FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the directory; null if another service has it. A file system that has no locks lets
   * everybody.
   */
  static @Nullable StateLock take(Path directory, String applicationId) {
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              directory.resolve(applicationId + ".lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
      if (channel.tryLock() != null) {
        return new StateLock(channel);
      }
    } catch (OverlappingFileLockException e) {
      // A service in this process has it.
    } catch (IOException e) {
      closeQuietly(channel);
      return new StateLock(null);
    }
    closeQuietly(channel);
    return null;
  }

  @Override
  public void close() {
    closeQuietly(channel);
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // It is of no use any more.
    }
  }
}
