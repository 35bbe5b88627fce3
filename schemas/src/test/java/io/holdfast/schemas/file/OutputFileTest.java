package io.holdfast.schemas.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
  @TempDir Path folder;

  @Test
  void newFile_isWrittenWithItsFolders_andNothingElseIsThere() throws IOException {
    Path file = folder.resolve("a/b/new.txt");
    assertThat(OutputFile.of(file).write(out -> out.write("whole".getBytes(UTF_8)))).isEqualTo(5);
    assertThat(file).content().isEqualTo("whole");
    assertThat(names(folder.resolve("a/b"))).containsExactly("new.txt");
  }

  @Test
  void newFile_hasThePermissionsThatAnyNewFileHas() throws IOException {
    Path other = Files.createFile(folder.resolve("other"));
    Path file = folder.resolve("new");
    OutputFile.of(file).writeText("x");
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(Files.getPosixFilePermissions(other));
  }

  @Test
  void oldFile_isReplaced_andKeepsItsPermissions() throws IOException {
    Path file = Files.writeString(folder.resolve("old"), "before, and longer");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx--x-w-"));
    OutputFile.of(file).writeText("after");
    assertThat(file).content().isEqualTo("after");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rwx--x-w-");
    assertThat(names(folder)).containsExactly("old");
  }

  @Test
  void contentThatFails_leavesTheOldFile_andNoOther() throws IOException {
    Path file = Files.writeString(folder.resolve("old"), "before");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                OutputFile.of(file)
                    .write(
                        out -> {
                          out.write(new byte[100_000]);
                          throw new IllegalStateException("a row is bad");
                        }));
    assertThat(file).content().isEqualTo("before");
    assertThat(names(folder)).containsExactly("old");
  }

  @Test
  void link_staysOne_andItsTargetIsWritten() throws IOException {
    Files.createDirectories(folder.resolve("deep"));
    Path target = Files.writeString(folder.resolve("deep/target"), "before");
    Path inner = Files.createSymbolicLink(folder.resolve("deep/inner"), Path.of("target"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("deep/inner"));
    OutputFile.of(link).writeText("after");
    assertThat(link).isSymbolicLink();
    assertThat(inner).isSymbolicLink();
    assertThat(target).content().isEqualTo("after");
    assertThat(names(folder.resolve("deep"))).containsExactly("inner", "target");
  }

  @Test
  void linkToNothing_getsItsTarget() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("deep/target"));
    OutputFile.of(link).writeText("after");
    assertThat(link).isSymbolicLink();
    assertThat(folder.resolve("deep/target")).content().isEqualTo("after");
  }

  @Test
  void linksInACircle_areSaid() throws IOException {
    Path link = folder.resolve("link");
    Files.createSymbolicLink(link, Path.of("other"));
    Files.createSymbolicLink(folder.resolve("other"), Path.of("link"));
    assertThatExceptionOfType(OutputException.class)
        .isThrownBy(() -> OutputFile.of(link).check())
        .withMessage(link + " cannot be written: its symbolic links lead nowhere");
  }

  @Test
  void device_staysOne() throws IOException {
    Path device = Path.of("/dev/null");
    Path link = Files.createSymbolicLink(folder.resolve("link"), device);
    assertThat(OutputFile.of(link).write(out -> out.write(new byte[7]))).isEqualTo(7);
    assertThat(Files.isRegularFile(device)).isFalse();
    assertThat(link).isSymbolicLink();
  }

  @Test
  void fullDisk_isASentence_throughWritersThatSwallowExceptions() throws IOException {
    OutputFile full = OutputFile.of(Path.of("/dev/full"));
    List<Integer> lines = new ArrayList<>();
    assertThatExceptionOfType(OutputException.class)
        .isThrownBy(
            () ->
                full.write(
                    out -> {
                      var writer = new PrintWriter(new OutputStreamWriter(out, UTF_8));
                      for (int line = 0; line < 1_000_000; line++) {
                        writer.println(line);
                        lines.add(line);
                      }
                    }))
        .withMessage("/dev/full cannot be written: No space left on device")
        .matches(e -> !e.closedPipe());
    assertThat(lines).as("it ends at the first that is lost").hasSizeLessThan(100_000);
  }

  @Test
  void fullDisk_ofWhichTheExceptionIsSwallowed_isSaidAllTheSame() {
    assertThatExceptionOfType(OutputException.class)
        .isThrownBy(
            () ->
                OutputFile.of(Path.of("/dev/full"))
                    .write(
                        out -> {
                          try {
                            out.write(1);
                          } catch (OutputException e) {
                            out.write(2);
                          }
                        }));
  }

  @Test
  void namedPipe_staysOne_andIsReadWhole() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    try (ExecutorService reader = Executors.newSingleThreadExecutor()) {
      Future<String> read = reader.submit(() -> Files.readString(pipe));
      OutputFile.of(pipe).writeText("all of it");
      assertThat(read.get(1, TimeUnit.MINUTES)).isEqualTo("all of it");
    }
    assertThat(Files.isRegularFile(pipe)).isFalse();
  }

  @Test
  void namedPipe_whoseReaderGoes_isAClosedPipe() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Process reader = new ProcessBuilder("head", "-c", "1", pipe.toString()).start();
    assertThatExceptionOfType(OutputException.class)
        .isThrownBy(() -> OutputFile.of(pipe).write(out -> out.write(new byte[10_000_000])))
        .matches(OutputException::closedPipe);
    assertThat(reader.waitFor()).isZero();
  }

  @Test
  void severalAtOnce_leaveOneWholeFile() throws Exception {
    Path file = folder.resolve("file");
    try (ExecutorService writers = Executors.newFixedThreadPool(4)) {
      List<Callable<Long>> all = new ArrayList<>();
      for (int k = 0; k < 40; k++) {
        String text = String.valueOf((char) ('a' + k % 26)).repeat(50_000 + k);
        all.add(() -> OutputFile.of(file).write(out -> out.write(text.getBytes(UTF_8))));
      }
      for (Future<Long> written : writers.invokeAll(all)) {
        assertThat(written.get()).isGreaterThanOrEqualTo(50_000);
      }
    }
    String text = Files.readString(file);
    assertThat(text).hasSizeGreaterThanOrEqualTo(50_000);
    assertThat(text.chars().distinct().count()).isOne();
    assertThat(names(folder)).containsExactly("file");
  }

  @Test
  void processToldToStop_leavesTheOldFile_andNoOther() throws Exception {
    Path file = Files.writeString(folder.resolve("old"), "before");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path");
    Process process =
        new ProcessBuilder(java, "-cp", classes, EndlessWriter.class.getName(), file.toString())
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("writing");
      assertThat(names(folder)).hasSize(2);
      process.toHandle().destroy(); // SIGTERM, and its streams stay open
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(file).content().isEqualTo("before");
    assertThat(names(folder)).containsExactly("old");
  }

  /** Writes a file and never comes to an end. */
  static final class EndlessWriter {
    private EndlessWriter() {}

    public static void main(String[] arguments) throws IOException {
      OutputFile.of(Path.of(arguments[0]))
          .write(
              out -> {
                out.write(new byte[100_000]);
                System.out.println("writing");
                int end;
                do {
                  end = System.in.read();
                } while (end >= 0);
                throw new IOException("the test has gone");
              });
    }
  }

  @Test
  void whatCannotBeWritten_isKnownBefore_andNamesWhatIsWrong() throws IOException {
    assertThatExceptionOfType(OutputException.class)
        .isThrownBy(() -> OutputFile.of(folder).check())
        .withMessage(folder + " is a folder: name a file in it");
    Path file = Files.createFile(folder.resolve("file"));
    Path below = file.resolve("deep/er");
    assertThatExceptionOfType(OutputException.class)
        .isThrownBy(() -> OutputFile.of(below).check())
        .withMessage(
            below + " cannot be written: " + file + " is no folder that may be written to");
  }

  static boolean ordinaryUser() {
    return !"root".equals(System.getProperty("user.name"));
  }

  @Test
  @EnabledIf("ordinaryUser")
  void writeProtectedFile_isLeftAsItIs() throws IOException {
    Path file = Files.writeString(folder.resolve("old"), "before");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    assertThatExceptionOfType(OutputException.class)
        .isThrownBy(() -> OutputFile.of(file).writeText("after"))
        .withMessage(file + " may not be written: it is write-protected");
    assertThat(file).content().isEqualTo("before");
  }

  @Test
  void sameFile_isKnownByWhateverName() throws IOException {
    Files.createDirectories(folder.resolve("deep"));
    Path file = Files.createFile(folder.resolve("file"));
    Path hard = Files.createLink(folder.resolve("hard"), file);
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("file"));
    Path round = folder.resolve("deep/../file");
    Path relative = Path.of("").toAbsolutePath().relativize(file);
    List<Path> names = List.of(file, hard, link, round, relative);
    for (Path one : names) {
      for (Path other : names) {
        assertThat(OutputFile.of(one).isSameFile(other)).as("%s, %s", one, other).isTrue();
      }
      assertThat(OutputFile.of(one).isSameFile(folder.resolve("none"))).isFalse();
      assertThat(OutputFile.of(folder.resolve("none")).isSameFile(one)).isFalse();
      assertThat(OutputFile.of(one).isSameFile(Path.of("/dev/null"))).isFalse();
    }
  }

  @Test
  void sameFile_thatIsNotThereYet_isKnownToo() throws IOException {
    Path alias = Files.createSymbolicLink(folder.resolve("alias"), folder);
    Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), Path.of("new"));
    OutputFile file = OutputFile.of(folder.resolve("new"));
    for (Path same : List.of(file.path(), alias.resolve("new"), dangling, folder.resolve("NEW"))) {
      assertThat(file.isSameFile(same)).as("%s", same).isTrue();
    }
    assertThat(file.isSameFile(folder.resolve("newer"))).isFalse();
    assertThat(file.isSameFile(folder.resolve("deep/new"))).isFalse();
  }

  @Test
  void device_mayBeReadAndWritten() {
    assertThat(OutputFile.of(Path.of("/dev/null")).isSameFile(Path.of("/dev/null"))).isFalse();
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
