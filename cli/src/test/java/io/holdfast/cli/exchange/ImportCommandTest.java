package io.holdfast.cli.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportCommandTest {
  private static final String MODEL =
      """
      tree
      version=v4
      num_class=1
      num_tree_per_iteration=1
      label_index=0
      max_feature_idx=2
      objective=regression
      feature_names=age kind rain
      feature_infos=[0:90] 0:1:2 [0:9]
      tree_sizes=400

      Tree=0
      num_leaves=4
      num_cat=1
      split_feature=0 1 2
      split_gain=4 2 1
      threshold=30.5 0 2.5
      decision_type=2 1 6
      left_child=2 -2 -1
      right_child=1 -3 -4
      leaf_value=0.5 -0.25 0.125 0.75
      leaf_count=10 20 30 7
      cat_boundaries=0 1
      cat_threshold=5
      is_linear=0
      shrinkage=1


      end of trees

      feature_importances:
      age=1

      parameters:
      [boosting: gbdt]
      end of parameters

      pandas_categorical:[["north", "east", "New York"]]
      """;

  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void lightGbmModel_scoresTextAsPandasHadIt_andIsRefitted() throws IOException {
    Path foreign = file("model.txt", MODEL);
    Path out = folder.resolve("model.hf");
    JsonNode imported =
        CliRun.of("import", foreign.toString(), "--out", out.toString(), "--label", "y", "--json")
            .json();
    assertThat(imported.path("program").asText()).isEqualTo("LightGBM");
    assertThat(imported.path("trees").asInt()).isOne();
    assertThat(imported.path("features").asInt()).isEqualTo(3);
    assertThat(imported.path("categoricalFeatures").asInt()).isOne();

    Path data =
        file(
            "rows.csv",
            """
            age,kind,rain,y
            30.5,east,0,1
            31,north,0,2
            31,east,0,3
            31,New York,0,4
            31,,0,5
            ,south,0,6
            20,north,2.6,7
            """);
    CliRun scored = CliRun.of("score", data.toString(), "--model", out.toString());
    assertThat(scored.exitCode()).as(scored.err()).isZero();
    assertThat(scored.out().lines().skip(1).map(line -> line.split(",", -1)[1]))
        .as("rain of 0 is missing and goes left; so does an age of 0, which a missing one is")
        .containsExactly("0.5", "-0.25", "0.125", "-0.25", "0.125", "0.5", "0.75");

    Path refitted = folder.resolve("refitted.hf");
    CliRun refit =
        CliRun.of(
            "refit",
            "--model",
            out.toString(),
            "--data",
            data.toString(),
            "--out",
            refitted.toString());
    assertThat(refit.exitCode()).as(refit.err()).isZero();
    assertThat(CliRun.of("score", data.toString(), "--model", refitted.toString()).out())
        .isNotEqualTo(scored.out());
  }

  @Test
  void importedModel_isTakenAwayAndComesBack_withTheSameScores() throws IOException {
    Path model = folder.resolve("model.hf");
    Path data = file("rows.csv", "age,kind,rain\n31,north,0\n,south,3\n20,New York,2.5\n");
    CliRun.of("import", file("model.txt", MODEL).toString(), "--out", model.toString());
    String scores = CliRun.of("score", data.toString(), "--model", model.toString()).out();
    assertThat(scores.lines()).hasSize(4);
    for (String format : List.of("json", "lightgbm", "xgboost")) {
      Path away = folder.resolve("away." + format);
      JsonNode exported =
          CliRun.of(
                  "export",
                  "--model",
                  model.toString(),
                  "--to",
                  format,
                  "--out",
                  away.toString(),
                  "--json")
              .json();
      assertThat(exported.path("format").asText()).isEqualTo(format);
      assertThat(exported.path("bytes").asLong()).isEqualTo(Files.size(away));
      Path back = folder.resolve("back.hf");
      CliRun read = CliRun.of("import", away.toString(), "--out", back.toString());
      assertThat(read.exitCode()).as(read.err()).isZero();
      assertThat(CliRun.of("score", data.toString(), "--model", back.toString()).out())
          .as(format)
          .isEqualTo(scores);
    }
    CliRun.of("export", "--model", model.toString(), "--to", "c", "--out", "x")
        .saysOneSentence(2, "--to", "JSON");
  }

  @Test
  void whatIsNoModel_isOneSentence() throws IOException {
    Path out = folder.resolve("model.hf");
    Path half = file("half.txt", MODEL.substring(0, MODEL.length() / 2));
    CliRun.of("import", half.toString(), "--out", out.toString())
        .saysOneSentence(1, "half.txt", "cut off");
    CliRun.of("import", folder.resolve("none").toString(), "--out", out.toString())
        .saysOneSentence(1, "none");
    Path linear = file("linear.txt", MODEL.replace("is_linear=0", "is_linear=1"));
    CliRun.of("import", linear.toString(), "--out", out.toString())
        .saysOneSentence(1, "linear.txt", "linear_tree");
    assertThat(out).doesNotExist();
  }

  @Test
  void whatIsOtherwise_isNoted() throws IOException {
    Path foreign = file("model.txt", MODEL.replace("objective=regression", "objective=fair"));
    CliRun run =
        CliRun.of("import", foreign.toString(), "--out", folder.resolve("m.hf").toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("Objective fair is none of ours");
  }
}
