package io.holdfast.faults;

import io.holdfast.schemas.Sentence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was injected and what came of it: {@code target/faults/table.md}, a row a fault, the newest
 * run of each. With {@code -Dholdfast.write=true} docs/reliability.md, too. Stateless.
 */
public final class FaultTable {
  private static final Path FOLDER = Path.of("target", "faults");
  private static final Path PAGE =
      Path.of(System.getProperty("holdfast.root", "..")).resolve("docs/reliability.md");
  private static final String HEAD =
      """
      | fault | times | records | lost | doubled | wrong | seconds, median | worst | test |
      |---|---|---|---|---|---|---|---|---|
      """;
  private static final String BEGIN = "<!-- faults -->\n";
  private static final String END = "<!-- end -->";

  private FaultTable() {}

  /**
   * Notes what came of a fault.
   *
   * @param records that went through meanwhile
   * @param seconds from the end of each until all was as before
   */
  public static void add(
      String fault, int times, long records, Audit audit, List<Double> seconds, String test) {
    List<Double> sorted = seconds.stream().sorted().toList();
    String row =
        Sentence.of(
            "| %s | %d | %d | %d | %d | %d | %s | %s | `%s` |",
            fault,
            times,
            records,
            audit.lost(),
            audit.doubled(),
            audit.wrong(),
            sorted.isEmpty() ? "" : time(sorted.get(sorted.size() / 2)),
            sorted.isEmpty() ? "" : time(Collections.max(sorted)),
            test);
    write(fault, row);
  }

  private static String time(double seconds) {
    return Sentence.of("%.1f", seconds);
  }

  private static synchronized void write(String fault, String row) {
    Map<String, String> rows = new TreeMap<>();
    try {
      Path file = FOLDER.resolve("table.md");
      Files.createDirectories(FOLDER);
      if (Files.exists(file)) {
        Files.readAllLines(file).stream()
            .skip(2)
            .forEach(line -> rows.put(line.split(" \\| ", 2)[0].substring(2), line));
      }
      rows.put(fault, row);
      String table = HEAD + String.join("\n", rows.values()) + "\n";
      Files.writeString(file, table);
      if (Boolean.getBoolean("holdfast.write")) {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        Files.writeString(
            PAGE,
            page.substring(0, begin) + "\n" + table + "\n" + page.substring(page.indexOf(END)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
