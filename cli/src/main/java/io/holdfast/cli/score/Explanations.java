package io.holdfast.cli.score;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.explain.Contribution;
import io.holdfast.boosting.explain.Explanation;
import io.holdfast.boosting.explain.Importance;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.ColumnName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;

/** What a model goes by, as people and machines read it. Owned by one thread. */
final class Explanations {
  private final Model model;
  private final Console console;
  private final boolean json;

  /** Lines of rows, written to the console's output as they come. */
  Explanations(Model model, Console console, boolean json) {
    this.model = model;
    this.console = console;
    this.json = json;
  }

  void printHeader() {
    if (json) {
      return;
    }
    List<String> header = new ArrayList<>(List.of("row"));
    if (model.base().outputs() > 1) {
      header.add("output");
    }
    header.add("rawScore");
    header.add("expected");
    for (Feature feature : model.features()) {
      String name = ColumnName.of(feature.name());
      while (header.contains(name)) { // a feature that is called as a column of ours
        name = "contribution of " + name;
      }
      header.add(name);
    }
    console.out().println(CSVFormat.RFC4180.format(header.toArray()));
  }

  /** A line for each raw score of the row. */
  void print(long row, List<Explanation> explanations) {
    for (Explanation explanation : explanations) {
      console.out().println(json ? object(row, explanation) : line(row, explanation));
    }
  }

  private String line(long row, Explanation explanation) {
    List<Object> cells = new ArrayList<>(List.of(row));
    if (model.base().outputs() > 1) {
      cells.add(explanation.output());
    }
    cells.add(explanation.rawScore());
    cells.add(explanation.expected());
    explanation.contributions().forEach(contribution -> cells.add(contribution.amount()));
    return CSVFormat.RFC4180.format(cells.toArray());
  }

  private String object(long row, Explanation explanation) {
    ObjectNode node = Json.object().put("row", row);
    if (model.base().outputs() > 1) {
      node.put("output", explanation.output());
    }
    Json.put(node, "rawScore", explanation.rawScore());
    Json.put(node, "expected", explanation.expected());
    ObjectNode contributions = node.putObject("contributions");
    for (Contribution contribution : explanation.contributions()) {
      Json.put(contributions, ColumnName.of(contribution.feature()), contribution.amount());
    }
    return Json.line(node);
  }

  /** The mean size of contributions: a last line of JSON, or a table on standard error. */
  void printMeans(Importance importance) {
    if (json) {
      ObjectNode node = Json.object();
      ArrayNode features = node.putArray("meanContributions");
      for (Importance.Entry entry : importance.ranked().entries()) {
        Json.put(
            features.addObject().put("feature", ColumnName.of(entry.feature())),
            "size",
            entry.value());
      }
      console.out().println(Json.line(node));
      return;
    }
    Table table = new Table("feature", "mean size of contributions", "share");
    Map<String, Double> shares = byFeature(importance.normalised());
    for (Importance.Entry entry : importance.ranked().entries()) {
      double share = shares.getOrDefault(entry.feature(), 0.0);
      table.line(ColumnName.of(entry.feature()), Table.figure(entry.value()), Table.figure(share));
    }
    console.err().print(table);
    console.err().flush();
  }

  /** Gain and number of splits of each feature; without gain if the model does not know it. */
  static void printImportance(Model model, Console console, boolean json) {
    boolean gains = knowsTraining(model);
    Map<String, Double> splits = byFeature(Importance.bySplits(model));
    Importance first = gains ? Importance.byGain(model) : Importance.bySplits(model);
    Map<String, Double> shares = byFeature(first.normalised());
    if (json) {
      printImportance(model, first, shares, splits, console);
      return;
    }
    Table table =
        gains ? new Table("feature", "gain", "share", "splits") : new Table("feature", "splits");
    for (Importance.Entry entry : first.ranked().entries()) {
      String count = String.valueOf(splits.getOrDefault(entry.feature(), 0.0).longValue());
      if (gains) {
        String share = Table.figure(shares.getOrDefault(entry.feature(), 0.0));
        table.line(ColumnName.of(entry.feature()), Table.figure(entry.value()), share, count);
      } else {
        table.line(ColumnName.of(entry.feature()), count);
      }
    }
    console.out().print(table);
    console.out().flush();
    if (!gains) {
      console.err().println("The model does not know what its splits gained: fit it again.");
    }
    if (!model.base().terms().isEmpty()) {
      console.err().println("It has a linear base too, which is in contributions, not here.");
    }
    console.err().flush();
  }

  private static void printImportance(
      Model model,
      Importance first,
      Map<String, Double> shares,
      Map<String, Double> splits,
      Console console) {
    boolean gains = first.measure() == Importance.Measure.GAIN;
    ObjectNode node = Json.object();
    node.put("objective", model.objective().name());
    node.put("trees", model.trees());
    ArrayNode features = node.putArray("importance");
    for (Importance.Entry entry : first.ranked().entries()) {
      ObjectNode feature = features.addObject().put("feature", ColumnName.of(entry.feature()));
      Json.put(feature, "gain", gains ? entry.value() : Double.NaN);
      double share = shares.getOrDefault(entry.feature(), 0.0);
      Json.put(feature, "gainShare", gains ? share : Double.NaN);
      feature.put("splits", splits.getOrDefault(entry.feature(), 0.0).longValue());
    }
    console.json(node);
  }

  private static Map<String, Double> byFeature(Importance importance) {
    Map<String, Double> values = new HashMap<>();
    importance.entries().forEach(entry -> values.put(entry.feature(), entry.value()));
    return values;
  }

  /** Whether all trees know what their splits gained, and how many rows reached their leaves. */
  static boolean knowsTraining(Model model) {
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        if (!tree.hasStatistics() && tree.leaves() > 1) {
          return false;
        }
      }
    }
    return true;
  }
}
