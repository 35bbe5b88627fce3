package io.holdfast.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file system of some megabytes, in memory, which can be filled and be read-only. Owned by one
 * thread.
 */
public final class SmallDisk implements AutoCloseable {
  private final Path folder;

  private SmallDisk(Path folder) {
    this.folder = folder;
  }

  /** Whether this machine lets us mount one, as it does root alone. */
  public static boolean possible(Path folder) {
    try (SmallDisk disk = mount(folder, 1)) {
      return Files.exists(disk.folder);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Mounts one at a folder, which is made. */
  public static SmallDisk mount(Path folder, int megabytes) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Commands.run(
        "mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", folder.toString());
    return new SmallDisk(folder);
  }

  /** Takes all room that there is. */
  public void fill() {
    byte[] block = new byte[4096];
    try (OutputStream out = Files.newOutputStream(folder.resolve("filler"))) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      // full
    }
  }

  /** Gives it back. */
  public void empty() {
    try {
      Files.deleteIfExists(folder.resolve("filler"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** From now on nothing can be made or opened for writing in it; what is open stays so. */
  public void lock() {
    Commands.run("mount", "--bind", folder.toString(), folder.toString());
    Commands.run("mount", "-o", "remount,bind,ro", folder.toString());
  }

  /** As before {@link #lock}. */
  public void unlock() {
    Commands.run("umount", "-l", folder.toString());
  }

  @Override
  public void close() {
    Commands.run("umount", "-l", folder.toString());
  }
}
