package io.holdfast.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.holdfast.cli.learn.LastQuarter;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.WindowReport;
import java.util.ArrayList;
import java.util.List;

/** Windows' reports as people and machines read them. Stateless. */
public final class Reports {
  private Reports() {}

  /** What learning was worth: a share of the constant model's loss, or the difference to it. */
  public static String gain(LastQuarter quarter) {
    boolean share = !Double.isNaN(quarter.margin());
    double gain = share ? quarter.margin() : quarter.constantLoss() - quarter.loss();
    String size =
        share ? Sentence.of("%.1f%%", 100 * Math.abs(gain)) : Table.figure(Math.abs(gain));
    return size + (gain >= 0 ? " less" : " more");
  }

  /** Writes the reports of one stream, with how many rows had come. */
  public static final class Windows extends StdConverter<List<WindowReport>, List<JsonNode>> {
    private static final List<String> ELSEWHERE =
        List.of("format", "model", "ranges", "at", "tipVersion", "gate", "shadow");

    @Override
    public List<JsonNode> convert(List<WindowReport> windows) {
      List<JsonNode> nodes = new ArrayList<>();
      long[] ends = DriftTable.ends(windows);
      for (WindowReport window : windows) {
        ObjectNode node = Json.tree(window).put("upToRow", ends[nodes.size()]).without(ELSEWHERE);
        for (JsonNode drifted : node.path("drift").path("features")) {
          String feature = drifted.path("feature").asText();
          ((ObjectNode) drifted).put("feature", ColumnName.of(feature));
        }
        for (String part : List.of("expected", "drift", "reason")) {
          if (node.path(part).isNull()) {
            node.remove(part);
          }
        }
        nodes.add(node);
      }
      return nodes;
    }
  }
}
