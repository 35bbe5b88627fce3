package io.holdfast.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.cli.CliRun;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A configuration from a file or a schema: what the label is says what is learned. */
class InitCommandTest {
  @TempDir Path folder;

  private ModelSettings made(String... arguments) throws IOException {
    CliRun run = CliRun.of(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("# Written by holdfast init from ", "environment: ");
    Path file = Files.writeString(folder.resolve("made.yml"), run.out());
    return Settings.read(file, Map.of()).models().values().iterator().next();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.5;2;7          | squared  | ''",
        "1;2;3            | squared  | ''",
        "0;1;1            | logistic | ''",
        "true;false;true  | logistic | false,true",
        "yes;no;          | logistic | no,yes",
        "red;green;${blue} | softmax | ${blue},green,red",
      })
  void label_saysTheObjective(String labels, String objective, String classes) throws IOException {
    StringBuilder csv = new StringBuilder("unit price,place,y: z\n");
    for (String label : labels.split(";", -1)) {
      csv.append("3.5,north,").append(label).append('\n');
    }
    Path file = Files.writeString(folder.resolve("Shop 7.csv"), csv);
    ModelSettings model = made("init", file.toString(), "--label=y: z", "--environment=place");
    assertThat(model.name()).isEqualTo("shop-7");
    assertThat(Files.readString(folder.resolve("made.yml")))
        .contains("environment: place # ", "a feature only if features.include has it");
    assertThat(model.booster().objective().name()).isEqualTo(objective);
    assertThat(model.classes())
        .isEqualTo(classes.isEmpty() ? List.of() : List.of(classes.split(",", -1)));
  }

  @Test
  void schema_isDeclared_andALabelThatItLacks_comesOnATopic() throws IOException {
    Path schema =
        Files.writeString(
            folder.resolve("ride.avsc"),
            """
            {"type": "record", "name": "Ride", "fields": [
              {"name": "x", "type": "double"}, {"name": "station", "type": "string"},
              {"name": "kind", "type": {"type": "enum", "name": "K", "symbols": ["a", "b", "c"]}}]}
            """);
    ModelSettings kinds = made("init", "--schema=" + schema, "--label=kind");
    assertThat(kinds.classes()).containsExactly("a", "b", "c");
    assertThat(kinds.schemas()).containsExactly(schema);

    ModelSettings late = made("init", "--schema=" + schema, "--label=count", "--objective=poisson");
    assertThat(late.labels()).isInstanceOf(ModelSettings.Labels.InTopic.class);
    assertThat(late.booster().objective()).extracting(Objective::name).isEqualTo("poisson");
  }

  @Test
  void whatIsLacking_isSaidInOneSentence() throws IOException {
    String file = Files.writeString(folder.resolve("a.csv"), "x,y\n1,one\n2,one\n").toString();
    CliRun.of("init", file).saysOneSentence(2, "--label must name what is to be predicted");
    CliRun.of("init", "--label=y").saysOneSentence(2, "name DATA, --schema or --topic");
    CliRun.of("init", file, "--topic=t", "--label=y").saysOneSentence(2, "from one thing");
    CliRun.of("init", file, "--label=z")
        .saysOneSentence(2, "--label names column z", "it has x, y");
    CliRun.of("init", file, "--label=y").saysOneSentence(2, "text of 1 values", "2 to 20 classes");
    CliRun.of("init", file, "--label=x", "--objective=fast")
        .saysOneSentence(2, "objective", "fast");
    CliRun.of("init", file, "--label=x", "--name=A B").saysOneSentence(2, "A B", "lower-case");
  }
}
