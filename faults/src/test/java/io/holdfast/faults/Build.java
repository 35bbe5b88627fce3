package io.holdfast.faults;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a process is started from: this build, or an older one beside it. Immutable. */
public record Build(String classPath) {

  /** That of these tests. */
  public static Build current() {
    return new Build(ReleasedClasses.path());
  }

  /** One that was built in another folder, by {@code ./mvnw package} there. */
  public static Build of(Path folder) {
    List<String> path = new ArrayList<>();
    try (Stream<Path> jars = Files.list(folder.resolve("cli/target"))) {
      jars.filter(jar -> jar.toString().matches(".*holdfast-cli-[^/]*\\.jar"))
          .forEach(jar -> path.add(jar.toString()));
      path.add(folder.resolve("cli/target/lib") + File.separator + "*");
      // Last, for what starts programs here: it asks nothing of them.
      var here = Build.class.getProtectionDomain().getCodeSource().getLocation();
      path.add(Path.of(here.toURI()).toString());
    } catch (IOException e) {
      throw new UncheckedIOException("nothing is built in " + folder, e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    return new Build(String.join(File.pathSeparator, path));
  }
}
