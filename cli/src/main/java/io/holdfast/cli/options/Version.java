package io.holdfast.cli.options;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine;

/** The version of this program, as the build wrote it down. */
public final class Version implements CommandLine.IVersionProvider {

  public static String number() {
    Properties properties = new Properties();
    try (InputStream file = Version.class.getResourceAsStream("version.properties")) {
      properties.load(file);
    } catch (IOException e) {
      throw new IllegalStateException("the program's own version.properties cannot be read", e);
    }
    return properties.getProperty("version");
  }

  @Override
  public String[] getVersion() {
    return new String[] {"holdfast " + number()};
  }
}
