package io.holdfast.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BacktestPageTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static ObjectNode model(String name, double rmse, int windows, int environments) {
    ObjectNode model = JSON.createObjectNode().put("name", name).put("hash", "0123456789abcdef");
    model.putObject("settings").put("gamma", 4);
    model.putObject("total").put("loss", 1.0);
    ObjectNode stream = model.putObject("stream").putObject("cumulative").put("rows", 1_000_000);
    stream.putObject("metrics").put("rmse", rmse).put("meanRmse", 2.0).put("noChangeRmse", 4.0);
    ObjectNode curve = model.putObject("curve").put("newest", 1_000);
    ArrayNode rows = curve.putArray("rows");
    ObjectNode windowed = curve.putObject("windowed");
    for (String figure : new String[] {"rmse", "mae", "loss", "r2", "meanRmse", "noChangeRmse"}) {
      ArrayNode values = windowed.putArray(figure);
      for (int k = 0; k < 250; k++) {
        values.add(rmse + k / 997.0);
      }
    }
    for (int k = 1; k <= 250; k++) {
      rows.add(4_000 * k);
    }
    ArrayNode inEnvironment = model.putArray("environments");
    for (int k = 0; k < environments; k++) {
      inEnvironment
          .addObject()
          .put("environment", "environment-" + k)
          .put("rows", 1_000)
          .put("loss", 1 + k / 1e4);
    }
    ArrayNode reports = model.putArray("windows");
    for (int k = 1; k <= windows; k++) {
      ObjectNode window = reports.addObject().put("window", k).put("rows", 200);
      window.put("upToRow", 200L * k).put("loss", 1 + k / 1e6).put("constantLoss", 1.23456789);
      window.put("treesTotal", 500).putArray("servedVersions").add(k - 1);
    }
    return model;
  }

  private static String page(ObjectNode... models) {
    ObjectNode data = JSON.createObjectNode().put("file", "data/a.csv").put("rows", 1_000_000);
    ArrayNode candidates = data.put("delay", 0).putArray("candidates");
    for (ObjectNode model : models) {
      candidates.add(model);
    }
    return BacktestPage.of(data);
  }

  @Test
  void manyWindowsAndEnvironments_areBelowAMegabyte_andAllEnvironmentsThere() {
    String page =
        page(
            model("a", 1, 5_000, 1_000),
            model("b", 2, 5_000, 1_000),
            model("c", 3, 5_000, 1_000),
            model("d", 3, 5_000, 1_000));
    assertThat(page.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(1_000_000);
    assertThat(page).contains(">environment-0<", ">environment-999<").contains("each 4th is here");
  }

  @Test
  void windows_areAllThere_inPartsThatOpen() {
    String page = page(model("a", 1, 1_234, 2));
    for (int window = 1; window <= 1_234; window += 17) {
      assertThat(page).contains("<tr><th scope=row>" + window + "<td>200<td>");
    }
    assertThat(page).contains("Window 1201 to 1234</summary>").doesNotContain("overflow-y");
  }

  @Test
  void verdict_saysWhetherBetter_byHowMuch_andWhereItWasWorst() {
    assertThat(page(model("a", 1.5, 3, 2), model("b", 1, 3, 2)))
        .contains(
            "b, the best of 2 models, is better than the mean label, the best baseline, by 50 %:"
                + " rmse 1 against 2.")
        .contains("It was worst in environment environment-1 (loss 1, 1 in all), and in window 3");
    assertThat(page(model("a", 3, 3, 2)))
        .contains("class=\"verdict bad\"", "The model is worse than the mean label", "by 50 %")
        .contains("Try other features");
    assertThat(page(model("a", 2.001, 3, 2))).contains("is about as good as the mean label");
  }

  @Test
  void settings_areThoseThatDifferFromTheDefaults() {
    ObjectNode one = model("a", 1, 1, 1);
    ((ObjectNode) one.get("settings")).put("seed", 1).putObject("trees").put("rounds", 77);
    assertThat(page(one))
        .contains("<th scope=row>gamma<td>1<td>4", "<th scope=row>trees.rounds<td>10<td>77")
        .doesNotContain("<th scope=row>seed");
  }
}
