package io.holdfast.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.boosting.model.Model;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Python of the page on taking a model away, as it stands there. */
class JsonPageTest {
  private static final int MODELS = 40;
  private static final int ROWS = 20;

  @TempDir Path folder;

  @Test
  void python_ofThePage_findsTheLeavesThatCount() throws Exception {
    assumeTrue(hasPython(), "python3 is not there");
    Path page = Path.of("..", "docs", "how-to", "take-a-model-away.md");
    String code =
        Files.readAllLines(page).stream()
            .dropWhile(line -> !line.startsWith("    def leaf"))
            .takeWhile(line -> line.startsWith("    "))
            .map(line -> line.substring(4))
            .collect(Collectors.joining("\n"));
    List<String> expected = new ArrayList<>();
    List<List<String>> rowsOf = new ArrayList<>();
    for (int number = 0; number < MODELS; number++) {
      Model model = RandomModel.of(number);
      Files.write(
          folder.resolve(number + ".json"), ModelExport.of(model, ModelExport.Format.JSON).bytes());
      List<String> rows = new ArrayList<>();
      for (double[] row : RandomModel.rows(model, ROWS, new SplittableRandom(number))) {
        double[] read = OurScores.read(model, row);
        rows.add(
            Arrays.stream(read)
                .mapToObj(value -> Double.isNaN(value) ? "None" : Double.toString(value))
                .collect(Collectors.joining(",", "[", "]")));
        expected.add(
            model.segments().stream()
                .flatMap(segment -> segment.trees().stream())
                .map(tree -> Integer.toString(tree.leafOf(read)))
                .collect(Collectors.joining(" ")));
      }
      rowsOf.add(rows);
    }
    Path script =
        Files.writeString(
            folder.resolve("score.py"),
            "import json\n"
                + code
                + "\nfor number, rows in enumerate("
                + rowsOf
                + "):\n    with open(f'{number}.json', encoding='utf-8') as file:\n"
                + "        model = json.load(file)\n"
                + "    for row in rows:\n"
                + "        print(*(leaf(tree, row) for tree in model['trees']))\n");

    Process python =
        new ProcessBuilder("python3", script.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String out = new String(python.getInputStream().readAllBytes(), UTF_8);

    assertThat(python.waitFor()).as(out).isZero();
    assertThat(out.lines()).containsExactlyElementsOf(expected);
  }

  private static boolean hasPython() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
