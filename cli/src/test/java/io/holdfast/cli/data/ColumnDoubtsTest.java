package io.holdfast.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of columns that are hardly meant to be features as they are. */
class ColumnDoubtsTest {
  @TempDir Path folder;

  @Test
  void numbersWithSomeWords_areTakenForCategories_whichIsSaid() throws IOException {
    assertThat(doubts(i -> i % 50 == 7 ? "n/a" : Integer.toString(i % 9)))
        .containsExactly(
            "column the value is taken for categories, as 4 of its 200 values are no numbers (the first is n/a): leave these fields empty to have numbers");
  }

  @Test
  void textThatIsNewInEachRow_isSaid() throws IOException {
    assertThat(doubts(i -> "C" + i))
        .containsExactly(
            "column the value is taken for categories, and most of its values occur once: leave it out with --exclude unless they come again");
  }

  @Test
  void textThatComesAgain_numbersTimesAndFewRows_areNoMatter() throws IOException {
    assertThat(doubts(i -> "C" + i % 90)).isEmpty();
    assertThat(doubts(Integer::toString)).isEmpty();
    assertThat(doubts(i -> LocalDate.EPOCH.plusDays(i).toString())).isEmpty();
    assertThat(doubts(i -> i < 99 ? "C" + i : "")).isEmpty();
  }

  @Test
  void columnThatIsNoFeature_isNoMatter() throws IOException {
    assertThat(file(i -> "C" + i).doubts(Set.of("label"))).isEmpty();
  }

  private List<String> doubts(IntFunction<String> value) throws IOException {
    return file(value).doubts(Set.of("the_value"));
  }

  private DataFile file(IntFunction<String> value) throws IOException {
    String rows =
        IntStream.range(0, 200)
            .mapToObj(i -> value.apply(i) + "," + i % 2 + "\n")
            .collect(Collectors.joining());
    Path path = Files.writeString(folder.resolve("rows.csv"), "the value,label\n" + rows);
    return DataFile.open(path, Set.of());
  }
}
