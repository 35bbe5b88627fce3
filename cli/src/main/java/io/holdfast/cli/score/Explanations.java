package io.holdfast.cli.score;

import static io.holdfast.cli.print.Table.figure;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.explain.Explanation;
import io.holdfast.boosting.explain.Importance;
import io.holdfast.boosting.model.Model;
import io.holdfast.cli.measure.FeatureWeight;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.jspecify.annotations.Nullable;

/** What a model goes by, as people and machines read it. Owned by one thread. */
final class Explanations {
  private final Model model;
  private final ClassLabels classes;
  private final Console console;
  private final boolean json;
  private final @Nullable KeptColumns kept;

  Explanations(LedgerVersion version, Console console, boolean json, @Nullable KeptColumns kept) {
    this.model = version.model();
    this.classes = version.classes();
    this.console = console;
    this.json = json;
    this.kept = kept;
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
    List<String> all = kept == null ? header : kept.header(header);
    console.out().println(CSVFormat.RFC4180.format(all.toArray()));
  }

  void print(long row, List<Explanation> explanations) {
    if (kept != null) {
      kept.next();
    }
    for (Explanation explanation : explanations) {
      Explained explained =
          Explained.of(row, explanation, model.base().outputs() > 1 ? classes : null);
      String line = json ? Json.line(explained) : explained.csv();
      console.out().println(kept == null ? line : kept.before(line));
    }
  }

  /** A raw score of a row, by number or name; {@code output} is null if there is one alone. */
  private record Explained(
      long row,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Object output,
      double rawScore,
      double expected,
      Map<String, Double> contributions) {
    static Explained of(long row, Explanation of, @Nullable ClassLabels several) {
      Map<String, Double> contributions = new LinkedHashMap<>();
      of.contributions()
          .forEach(one -> contributions.put(ColumnName.of(one.feature()), one.amount()));
      return new Explained(
          row,
          several == null ? null : several.shown(of.output()),
          of.rawScore(),
          of.expected(),
          contributions);
    }

    String csv() {
      List<Object> cells = new ArrayList<>(List.of(row));
      if (output != null) {
        cells.add(output);
      }
      cells.add(rawScore);
      cells.add(expected);
      cells.addAll(contributions.values());
      return CSVFormat.RFC4180.format(cells.toArray());
    }
  }

  private record Means(List<Mean> meanContributions) {}

  private record Mean(String feature, double size, @JsonIgnore double share) {}

  /** The mean size of contributions: a last line of JSON, or a table on standard error. */
  void printMeans(Importance importance) {
    Map<String, Double> shares = byFeature(importance.normalised());
    List<Mean> means =
        importance.ranked().entries().stream()
            .map(
                one ->
                    new Mean(
                        ColumnName.of(one.feature()),
                        one.value(),
                        shares.getOrDefault(one.feature(), 0.0)))
            .toList();
    if (json) {
      console.out().println(Json.line(new Means(means)));
      return;
    }
    Table table = new Table("feature", "mean size of contributions", "share");
    for (Mean mean : means) {
      table.line(mean.feature(), figure(mean.size()), figure(mean.share()));
    }
    console.err().print(table);
    console.err().flush();
  }

  private record Importances(
      String objective,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> classes,
      int trees,
      List<FeatureWeight> importance) {}

  /** Gain and number of splits of each feature; without gain if the model does not know it. */
  static void printImportance(LedgerVersion version, Console console, boolean json) {
    Model model = version.model();
    boolean gains = FeatureWeight.knowsTraining(model);
    List<FeatureWeight> weights = FeatureWeight.of(model);
    if (json) {
      console.json(
          new Importances(
              model.objective().name(), version.classes().names(), model.trees(), weights));
      return;
    }
    Table table =
        gains ? new Table("feature", "gain", "share", "splits") : new Table("feature", "splits");
    for (FeatureWeight weight : weights) {
      String count = String.valueOf(weight.splits());
      if (gains) {
        table.line(weight.feature(), figure(weight.gain()), figure(weight.gainShare()), count);
      } else {
        table.line(weight.feature(), count);
      }
    }
    console.text(table.toString());
    if (!gains) {
      console.err().println("The model does not know what its splits gained: fit it again.");
    }
    if (!model.base().terms().isEmpty()) {
      console.err().println("It has a linear base too, which is in contributions, not here.");
    }
    console.err().flush();
  }

  private static Map<String, Double> byFeature(Importance importance) {
    Map<String, Double> values = new HashMap<>();
    importance.entries().forEach(entry -> values.put(entry.feature(), entry.value()));
    return values;
  }
}
