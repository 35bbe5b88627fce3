package io.holdfast.examples.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On two threads, from Parquet to Parquet, the bits are those of {@code holdfast score}. */
class ScoredHistoryTest {
  private static final Path DATA = Path.of("../data");
  private static final String COLUMNS =
      "order LONG, amount DOUBLE, items INT, country STRING, channel STRING, express BOOLEAN";

  @TempDir Path folder;

  @Test
  void history_hasTheScoresOfTheCommand() throws Exception {
    String history = folder.resolve("history").toString();
    String scored = folder.resolve("scored").toString();
    SparkSession.Builder builder =
        SparkSession.builder().master("local[2]").config("spark.ui.enabled", false);
    try (SparkSession spark = builder.getOrCreate()) {
      spark
          .read()
          .schema(COLUMNS)
          .option("header", true)
          .csv(DATA.resolve("orders.csv").toString())
          .repartition(4)
          .write()
          .parquet(history);

      ScoredHistory.main(new String[] {history, scored, DATA.resolve("orders.hf").toString()});

      List<String> predictions =
          spark.read().parquet(scored).orderBy("order").collectAsList().stream()
              .map((Row row) -> row.getAs("order") + "," + row.getAs("prediction"))
              .toList();
      assertThat(predictions).hasSize(200).containsExactlyInAnyOrderElementsOf(expected());
    }
  }

  private static List<String> expected() throws Exception {
    List<String> orders = Files.readAllLines(DATA.resolve("orders.csv"));
    List<String> scores = Files.readAllLines(DATA.resolve("scores.csv"));
    return IntStream.range(1, orders.size())
        .mapToObj(i -> orders.get(i).split(",", -1)[0] + "," + scores.get(i).split(",", -1)[1])
        .toList();
  }
}
