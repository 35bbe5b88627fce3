package io.holdfast.faults;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The class path of this JVM as programs are released: folders of classes are packed into jars. Of
 * a folder, every class is a file of its own, and one that is first wanted while no file can be
 * opened is missing for good; jars are open from a program's start on. Stateless.
 */
final class ReleasedClasses {
  /** Made once, as children are started from all tests. */
  private static final String PATH = packed(System.getProperty("java.class.path"));

  private ReleasedClasses() {}

  /** As {@code -cp} takes it. */
  static String path() {
    return PATH;
  }

  private static String packed(String path) {
    try {
      Path folder = Files.createTempDirectory("classes");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      return Arrays.stream(path.split(File.pathSeparator, -1))
          .map(Path::of)
          .map(entry -> Files.isDirectory(entry) ? jar(folder, entry) : entry)
          .map(Path::toString)
          .collect(Collectors.joining(File.pathSeparator));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path jar(Path folder, Path classes) {
    try {
      Path jar = Files.createTempFile(folder, "part", ".jar");
      try (OutputStream out = Files.newOutputStream(jar);
          ZipOutputStream zip = new ZipOutputStream(out);
          Stream<Path> all = Files.walk(classes)) {
        zip.setLevel(0);
        for (Path file : all.filter(one -> !one.equals(classes)).sorted().toList()) {
          String name = classes.relativize(file).toString();
          if (Files.isDirectory(file)) { // beans are found by folders, too
            zip.putNextEntry(new ZipEntry(name + "/"));
          } else {
            zip.putNextEntry(new ZipEntry(name));
            Files.copy(file, zip);
          }
          zip.closeEntry();
        }
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
