package io.holdfast.schemas.file;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Bytes on their way to an output that has a name. What cannot be written is an {@link
 * OutputException}, once: what comes after it is dropped, so that closing writers on the way out
 * does not say it again. Not thread-safe.
 */
public final class OutputSink extends OutputStream {
  private static final String STANDARD_OUTPUT = "standard output";
  private static final int TYPE = 0xF000;
  private static final int FIFO = 0x1000;
  private static final int SOCKET = 0xC000;

  private final OutputStream out;
  private final String name;
  private final @Nullable Path path;
  private long bytes;
  private @Nullable OutputException failure;

  /** A sink that users know as {@code name}; {@code path} tells whether it is a pipe, if known. */
  OutputSink(OutputStream out, String name, @Nullable Path path) {
    this.out = out;
    this.name = name;
    this.path = path;
  }

  /** The process's standard output, unbuffered. */
  public static OutputSink standardOutput() {
    var out = new FileOutputStream(FileDescriptor.out);
    return new OutputSink(out, STANDARD_OUTPUT, Path.of("/dev/stdout"));
  }

  /** Bytes that go to {@code out} as they would to standard output. */
  public static OutputSink standardOutput(OutputStream out) {
    return new OutputSink(out, STANDARD_OUTPUT, null);
  }

  @Override
  public void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] source, int from, int length) {
    if (failure == null) {
      try {
        out.write(source, from, length);
        bytes += length;
      } catch (IOException e) {
        throw failed(e);
      }
    }
  }

  @Override
  public void flush() {
    if (failure == null) {
      try {
        out.flush();
      } catch (IOException e) {
        throw failed(e);
      }
    }
  }

  /** Bytes written. */
  public long bytes() {
    return bytes;
  }

  /** Throws the first exception that there was, even if someone swallowed it. */
  public void check() {
    if (failure != null) {
      throw failure;
    }
  }

  private OutputException failed(IOException cause) {
    failure =
        pipe(path) || broken(cause)
            ? OutputException.closedPipe(name, cause)
            : OutputException.of(cause, "%s cannot be written: %s", name, reason(cause));
    return failure;
  }

  /** Writing to a pipe fails for one reason alone, whatever language the system says it in. */
  private static boolean pipe(@Nullable Path path) {
    try {
      int type = path == null ? 0 : (int) Files.getAttribute(path, "unix:mode") & TYPE;
      return type == FIFO || type == SOCKET;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean broken(IOException cause) {
    String message = cause.getMessage();
    return message != null && message.toLowerCase(Locale.ROOT).contains("broken pipe");
  }

  /** What the system says, without the path, which the sentence has. */
  static String reason(IOException cause) {
    if (cause instanceof FileSystemException e && e.getReason() != null) {
      return e.getReason();
    }
    return switch (cause) {
      case java.nio.file.AccessDeniedException _ -> "permission denied";
      case java.nio.file.NoSuchFileException _ -> "its folder is not there";
      default -> String.valueOf(cause.getMessage());
    };
  }
}
