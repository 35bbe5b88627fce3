package io.holdfast.bench.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.cli.input.DataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LabelledRowsTest {
  private static final DataFolder SHARED = DataFolder.of(null);

  @TempDir Path folder;

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    try (var out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  @Test
  void columns_getTheirRoles_andEmptyFieldsAreMissing() throws IOException {
    write(
        "forest_fires.csv.gz",
        """
        env,month,weekday,temp,label
        mar,3,sun,8.2,0
        oct,10,fri,,1.5
        mar,3,,-4,2
        """);

    LabelledRows read = LabelledRows.read(new DataFolder(folder), Task.named("fires-squared"));

    assertThat(read.features())
        .containsExactly(
            new Feature.Categorical("weekday", List.of("fri", "sun")), new Feature.Numeric("temp"));
    Rows rows = read.rows();
    assertThat(rows.size()).isEqualTo(3);
    assertThat(rows.environments()).containsExactly("mar", "oct");
    assertThat(rows.environment(2)).isZero();
    assertThat(rows.feature(0, 0)).isEqualTo(1);
    assertThat(rows.feature(1, 0)).isZero();
    assertThat(rows.feature(2, 0)).isNaN();
    assertThat(rows.feature(1, 1)).isNaN();
    assertThat(rows.feature(2, 1)).isEqualTo(-4);
    assertThat(rows.label(1)).isEqualTo(1.5);
  }

  @Test
  void labels_areWhatTheTaskMakesOfThem() throws IOException {
    write("covertype.csv.gz", "env,elevation,soil_type,label\na,1,2,2\na,3,4,7\n");

    Rows rows = LabelledRows.read(new DataFolder(folder), Task.named("cover-logistic")).rows();

    assertThat(rows.label(0)).isEqualTo(1);
    assertThat(rows.label(1)).isZero();
  }

  @Test
  void brokenFiles_areToldInOneSentence() throws IOException {
    Path empty = write("a.gz", "");
    Path ragged = write("b.gz", "env,label\nx,1\ny\n");
    Path unlabelled = write("c.gz", "env,x\na,1\n");

    assertThatThrownBy(() -> LabelledRows.read(empty, Task.named("wine-squared")))
        .isInstanceOf(DataException.class)
        .hasMessage(empty + " is empty: its first line must name the columns");
    assertThatThrownBy(() -> LabelledRows.read(ragged, Task.named("wine-squared")))
        .isInstanceOf(DataException.class)
        .hasMessage(ragged + " has 1 fields in row 2 where its header has 2");
    assertThatThrownBy(() -> LabelledRows.read(unlabelled, Task.named("wine-squared")))
        .isInstanceOf(DataException.class)
        .hasMessage(unlabelled + " has no column label");
  }

  @Test
  void files_thatAreNotThere_areNamed() {
    DataFolder absent = new DataFolder(folder.resolve("none"));
    DataFolder without = new DataFolder(folder);

    assertThatThrownBy(() -> LabelledRows.read(absent, Task.named("wine-squared")))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "there is no folder %s with the data sets: name it with --data, or the one above it"
                + " with -Dholdfast.shared",
            folder.resolve("none"));
    assertThatThrownBy(() -> LabelledRows.read(without, Task.named("wine-squared")))
        .isInstanceOf(DataException.class)
        .hasMessage("there is no file wine_quality.csv.gz in the data sets' folder %s", folder);
  }

  @Test
  void unknownTask_isToldWithThoseThereAre() {
    assertThat(Task.named(List.of("wine-squared", "bikes-squared")))
        .containsExactly(Task.named("wine-squared"), Task.named("bikes-squared"));
    assertThatThrownBy(() -> Task.named(List.of("wine")))
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith("a task must be one of bikes-squared, ")
        .hasMessageEndingWith(": wine");
  }

  static List<Task> tasks() {
    return Task.ALL;
  }

  @ParameterizedTest
  @MethodSource("tasks")
  void everyTask_hasLabelsThatItsObjectiveAccepts(Task task) {
    assumeTrue(Files.isDirectory(SHARED.path()), "the shared data sets are not there");
    LabelledRows read = LabelledRows.read(SHARED, task);

    for (int row = 0; row < read.rows().size(); row++) {
      assertThat(task.objective().accepts(read.rows().label(row))).isTrue();
    }
    assertThat(read.features())
        .extracting(Feature::name)
        .doesNotContain("label", "env", "time", "seq")
        .noneMatch(name -> name.startsWith("alt_label"));
  }

  @ParameterizedTest
  @CsvSource({
    "bikes-squared, 17379, 8, 12",
    "electricity-logistic, 45312, 32, 6",
    "wine-squared, 6497, 2, 11",
    "weather-squared, 412029, 12, 9",
    "cover-logistic, 92962, 4, 11",
    "turbine-squared, 36733, 5, 9",
    "fires-squared, 517, 12, 11"
  })
  void realFiles_haveTheRowsTheyAreKnownToHave(
      String task, int rows, int environments, int features) {
    assumeTrue(Files.isDirectory(SHARED.path()), "the shared data sets are not there");
    LabelledRows read = LabelledRows.read(SHARED, Task.named(task));

    assertThat(read.rows().size()).isEqualTo(rows);
    assertThat(read.rows().environments()).hasSize(environments);
    assertThat(read.features()).hasSize(features);
  }
}
