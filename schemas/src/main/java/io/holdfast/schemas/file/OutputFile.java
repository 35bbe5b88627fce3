package io.holdfast.schemas.file;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file that a command writes: whole, or as it was before. Thread-safe, and safe beside other
 * processes that write the same file.
 */
public final class OutputFile {
  /*
   * Content goes to a temporary file in the target's folder, which takes the target's owner, group
   * and permissions, reaches the disk, and replaces the target in one step. The target is where
   * symbolic links lead, so that a link stays one. What is no regular file (a device, a pipe) is
   * written as it is, and so is a descriptor of this process: replacing the file behind it would
   * lose what the shell has it write before and after.
   *
   * A process that is told to stop removes its temporary files on the way out; one that is killed
   * leaves .holdfast-PID-N behind.
   */
  /** What {@code -} names. */
  public static final OutputFile STANDARD_OUTPUT = of(Path.of("/dev/stdout"));

  private static final int MOST_LINKS = 40;

  private static final int NO_DESCRIPTOR = -1;
  private static final AtomicLong COUNTER = new AtomicLong();

  private final Path path;

  private OutputFile(Path path) {
    this.path = path;
  }

  /** The file at a path, where there may be one or none yet. */
  public static OutputFile of(Path path) {
    return new OutputFile(path);
  }

  public boolean isStandardOutput() {
    return path.equals(STANDARD_OUTPUT.path);
  }

  /** The path, as it was given. */
  public Path path() {
    return path;
  }

  @Override
  public String toString() {
    return path.toString();
  }

  /** What writes the bytes of a file. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Checks that it can be written, as far as that can be known before: a command does so before
   * work that would be lost.
   *
   * @throws OutputException if it cannot
   */
  public void check() {
    Path target = target();
    if (Files.isDirectory(target)) {
      throw OutputException.of("%s is a folder: name a file in it", path);
    }
    if (Files.exists(target)) {
      if (!Files.isWritable(target)) {
        throw OutputException.of("%s may not be written: it is write-protected", path);
      }
      return;
    }
    Path folder = folder(target);
    while (folder != null && !Files.exists(folder)) {
      folder = folder.getParent();
    }
    if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw OutputException.of(
          "%s cannot be written: %s is no folder that may be written to", path, folder);
    }
  }

  /**
   * Writes the file; folders that are not there are made.
   *
   * @return how many bytes there are
   * @throws OutputException if it cannot be written; then the file is as it was
   * @throws IOException if {@code content} fails; then the file is as it was
   */
  public long write(Content content) throws IOException {
    check();
    Path target = target();
    return switch (descriptor(target)) {
      // Left open: they are the process's own.
      case 1 -> write(content, new FileOutputStream(FileDescriptor.out));
      case 2 -> write(content, new FileOutputStream(FileDescriptor.err));
      case NO_DESCRIPTOR ->
          Files.exists(target) && !Files.isRegularFile(target)
              ? writeThrough(target, content, StandardOpenOption.WRITE)
              : replace(target, content);
      default ->
          writeThrough(
              target,
              content,
              Files.isRegularFile(target) ? StandardOpenOption.APPEND : StandardOpenOption.WRITE);
    };
  }

  /**
   * Writes a text in UTF-8.
   *
   * @throws OutputException if it cannot be written; then the file is as it was
   */
  public void writeText(String text) {
    try {
      write(out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Whether a path leads to the same regular file, by whatever name. Of two files that are not
   * there yet, names that differ in case alone are taken for the same: on some file systems they
   * are.
   */
  public boolean isSameFile(Path other) {
    try {
      Path target = target();
      Path second = of(other).target();
      if (descriptor(target) != NO_DESCRIPTOR && descriptor(second) != NO_DESCRIPTOR) {
        return false; // both are written through
      }
      if (Files.exists(target) && Files.exists(second)) {
        return Files.isRegularFile(target) && Files.isSameFile(target, second);
      }
      return !Files.exists(target)
          && !Files.exists(second)
          && canonical(target).equalsIgnoreCase(canonical(second));
    } catch (IOException e) {
      return false; // what cannot be looked at is said when it is opened
    }
  }

  private static String canonical(Path path) throws IOException {
    Path absolute = path.toAbsolutePath().normalize();
    Path there = absolute;
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    return there == null
        ? absolute.toString()
        : there.toRealPath().resolve(there.relativize(absolute)).toString();
  }

  private long write(Content content, OutputStream out) throws IOException {
    var sink = new OutputSink(out, path.toString(), path);
    content.writeTo(sink);
    sink.flush();
    sink.check();
    return sink.bytes();
  }

  private long writeThrough(Path target, Content content, StandardOpenOption how)
      throws IOException {
    try (OutputStream out = Files.newOutputStream(target, how)) {
      return write(content, out);
    }
  }

  private long replace(Path target, Content content) throws IOException {
    Path temporary = null;
    try {
      temporary = create(target);
      long bytes;
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        bytes = write(content, Channels.newOutputStream(channel));
        sync(channel);
      }
      move(temporary, target);
      temporary = null;
      return bytes;
    } finally {
      if (temporary != null) {
        Files.deleteIfExists(temporary);
      }
    }
  }

  private Path create(Path target) {
    try {
      Path folder = Files.createDirectories(Objects.requireNonNull(folder(target)));
      Path temporary = null;
      while (temporary == null) {
        temporary = createIn(folder);
      }
      deleteAtTheEnd(temporary);
      if (Files.exists(target)) {
        takeAttributes(target, temporary);
      }
      return temporary;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** A process that is told to stop meanwhile leaves no file behind. */
  private void deleteAtTheEnd(Path temporary) throws IOException {
    try {
      temporary.toFile().deleteOnExit();
    } catch (IllegalStateException e) { // it has been told already
      Files.delete(temporary);
      throw OutputException.of(
          new IOException(e), "%s is not written: the program is ending", path);
    }
  }

  /** An empty file of a name that no other process has; null if one had it first. */
  private static @Nullable Path createIn(Path folder) throws IOException {
    String name = ".holdfast-" + ProcessHandle.current().pid() + "-" + COUNTER.incrementAndGet();
    try {
      return Files.createFile(folder.resolve(name));
    } catch (FileAlreadyExistsException e) {
      return null;
    }
  }

  private static void takeAttributes(Path from, Path to) throws IOException {
    var source = Files.getFileAttributeView(from, PosixFileAttributeView.class);
    var view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
    if (source == null || view == null) {
      return;
    }
    PosixFileAttributes attributes = source.readAttributes();
    PosixFileAttributes own = view.readAttributes();
    try {
      if (!own.group().equals(attributes.group())) {
        view.setGroup(attributes.group());
      }
      if (!own.owner().equals(attributes.owner())) {
        view.setOwner(attributes.owner());
      }
    } catch (IOException e) {
      // Only a privileged user may give a file away: then it is the writer's, as a new one is.
    }
    view.setPermissions(attributes.permissions());
  }

  private void sync(FileChannel channel) {
    try {
      channel.force(true);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void move(Path temporary, Path target) {
    try {
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw failed(e);
    }
    try (FileChannel folder = FileChannel.open(Objects.requireNonNull(folder(target)))) {
      folder.force(true);
    } catch (IOException e) {
      // Not every system lets a folder be synchronised; the file itself is whole in any case.
    }
  }

  private OutputException failed(IOException cause) {
    return cause.getCause() instanceof OutputException already
        ? already
        : OutputException.of(cause, "%s cannot be written: %s", path, OutputSink.reason(cause));
  }

  /** Where symbolic links lead; a descriptor of this process stays its name. */
  private Path target() {
    Path target = path;
    for (int links = 0; Files.isSymbolicLink(target); links++) {
      if (links == MOST_LINKS) {
        throw OutputException.of("%s cannot be written: its symbolic links lead nowhere", path);
      }
      if (descriptor(target) != NO_DESCRIPTOR) {
        return target;
      }
      try {
        target = target.resolveSibling(Files.readSymbolicLink(target));
      } catch (IOException e) {
        throw failed(e);
      }
    }
    return target;
  }

  /** The number of the process's own descriptor that a path is, if it is one. */
  private static int descriptor(Path path) {
    Path folder = folder(path);
    Path name = path.getFileName();
    try {
      return folder != null
              && name != null
              && name.toString().matches("\\d{1,6}")
              && folder.toRealPath().equals(Path.of("/proc/self/fd").toRealPath())
          ? Integer.parseInt(name.toString())
          : NO_DESCRIPTOR;
    } catch (IOException e) {
      return NO_DESCRIPTOR;
    }
  }

  private static @Nullable Path folder(Path path) {
    return path.toAbsolutePath().getParent();
  }
}
