package io.holdfast.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;

/** Small files of rows to learn from. */
final class TestFiles {
  private TestFiles() {}

  /**
   * Rows with a label that depends on the features: {@code y = 3 x + (kind is b ? 2 : 0) + noise},
   * {@code yb = 1{y > 1}}, in environments e0 and e1, with x missing here and there.
   */
  static Path write(Path path, int rows, long seed) throws IOException {
    var random = new SplittableRandom(seed);
    StringBuilder csv = new StringBuilder("id,env,kind,x,noise,y,yb\n");
    for (int row = 0; row < rows; row++) {
      double x = random.nextDouble(-1, 1);
      String kind = random.nextInt(2) == 0 ? "a" : "b";
      double y = 3 * x + (kind.equals("b") ? 2 : 0) + 0.1 * random.nextGaussian();
      csv.append(
          String.format(
              Locale.ROOT,
              "r%d,e%d,%s,%s,%.4f,%.6f,%d%n",
              row,
              row % 2,
              kind,
              row % 17 == 5 ? "" : String.format(Locale.ROOT, "%.6f", x),
              random.nextDouble(),
              y,
              y > 1 ? 1 : 0));
    }
    return Files.writeString(path, csv);
  }
}
