package io.holdfast.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.CliRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code top} makes of what a service says. */
class TopTableTest {
  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }

  private static String model(String name, int rank, String state, String level, long scored) {
    return "{'name': '"
        + name
        + "', 'serving': {'version': 7}, 'counts': {'scored': "
        + scored
        + "}, 'state': {'word': '"
        + state
        + "', 'level': '"
        + level
        + "', 'rank': "
        + rank
        + ", 'reason': 'so it is'}, 'recent': {'all': {'loss': 0.5, 'constantLoss': 0.75},"
        + " 'worst': {'environment': 'north', 'loss': 0.625}}}";
  }

  @Test
  void models_areWorstFirst_withRatesBetweenTwoLooks() throws IOException {
    JsonNode before =
        json("[" + model("a", 9, "healthy", "good", 100) + "," + model("b", 1, "", "", 500) + "]");
    JsonNode now =
        json(
            ("[" + model("a", 9, "healthy", "good", 300))
                + ("," + model("b", 1, "losing", "bad", 20))
                + (",{'name': 'c', 'serving': null, 'state': {'word': 'no version', 'level': 'bad',"
                    + " 'rank': 0, 'reason': 'none'}}]"));
    JsonNode status =
        json("{'lags': [{'model': 'a', 'stage': 'score', 'rows': 12, 'seconds': 3.25}]}");
    TopTable table = TopTable.of(before, now, status, 4);

    assertThat(table.models()).extracting(TopTable.Row::model).containsExactly("c", "b", "a");
    TopTable.Row healthy = table.models().getLast();
    assertThat(healthy.recordsPerSecond()).isEqualTo(50);
    assertThat(healthy.scoreLag()).isEqualTo(12);
    assertThat(table.models().get(1).recordsPerSecond()).as("the service began anew").isNull();
    List<String> lines = table.text(false).lines().toList();
    assertThat(lines.get(3))
        .matches("a +7 +50[.]0 +12 +3[.][23] +- +0[.]5000 +0[.]7500 +north +0[.]6250 +healthy");
    assertThat(lines.subList(4, 6)).containsExactly("c: none", "b: so it is");
    assertThat(table.text(false)).doesNotContain("\033");
    assertThat(table.text(true).lines().toList().get(2))
        .startsWith("\033[31mb ")
        .endsWith("\033[0m");
    assertThat(table.text(true).lines().toList().get(3)).startsWith("a ");
  }

  @Test
  void colours_areForTerminals_unlessNoColorSaysNone() {
    assertThat(TopCommand.colours(null, true)).isTrue();
    assertThat(TopCommand.colours("", true)).isTrue();
    assertThat(TopCommand.colours("1", true)).isFalse();
    assertThat(TopCommand.colours(null, false)).isFalse();
  }

  @Test
  void whereNoServiceIs_isSaidInOneSentence() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    String url = "--url=http://127.0.0.1:" + free;
    CliRun.of("top", url, "--once").saysOneSentence(1, "no service answers at http://127.0.0.1");
    CliRun.of("top", url).saysOneSentence(1, "no service answers at http://127.0.0.1");
    CliRun.of("top", "--url=here").saysOneSentence(2, "--url must be as http://");
    CliRun.of("top", url, "--json").saysOneSentence(2, "say --once, too");
    CliRun.of("top", url, "--every=0").saysOneSentence(2, "--every must be 0.1 to 3600");
    CliRun.of("top").saysOneSentence(2, "a configuration is needed");
  }
}
