package io.holdfast.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this program, as the build wrote it. */
public final class ServerVersion {
  /** For example {@code 0.1.0}. */
  public static final String VALUE = read();

  private ServerVersion() {}

  private static String read() {
    Properties properties = new Properties();
    try (InputStream in = ServerVersion.class.getResourceAsStream("program.properties")) {
      if (in == null) {
        throw new IllegalStateException(
            "program.properties is missing from the jar of its servers");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }
}
