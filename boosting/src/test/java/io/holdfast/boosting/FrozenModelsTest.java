package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.ada.AdaBoostSettings;
import io.holdfast.boosting.ada.AdaBooster;
import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.KeptBins;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.Sampling;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Models and scores of generated rows, bit for bit as they were: shows what a change to the engine
 * changes. Where a change is meant, {@code -Dholdfast.frozen=FILE} writes what is now.
 */
class FrozenModelsTest {
  private static final String FROZEN = "frozen-models.txt";

  private final Map<String, String> now = new LinkedHashMap<>();

  @Test
  void modelsAndScores_areAsTheyWere() throws IOException {
    objectives();
    columns();
    anchors();
    continued();
    votes();
    String target = System.getProperty("holdfast.frozen");
    if (target != null) {
      String lines =
          now.entrySet().stream()
              .map(one -> one.getKey() + " = " + one.getValue() + "\n")
              .collect(Collectors.joining());
      Files.writeString(Path.of(target), lines, StandardCharsets.UTF_8);
      return;
    }
    Map<String, String> changed = new TreeMap<>();
    Map<String, String> frozen = frozen();
    now.forEach(
        (name, hashes) -> {
          if (!hashes.equals(frozen.get(name))) {
            changed.put(name, frozen.get(name) + " is now " + hashes);
          }
        });
    assertThat(changed).as("hashes of model and scores that changed").isEmpty();
    assertThat(now.keySet()).as("cases").isEqualTo(frozen.keySet());
  }

  private void objectives() {
    for (Objective objective : EveryObjectiveTest.OBJECTIVES) {
      Rows rows = FrozenRows.of(objective, 700, FrozenRows.PLAIN, 5);
      for (double gamma : objective.anchorable() ? new double[] {0, 1, 4} : new double[] {1}) {
        var settings = BoosterSettings.builder(objective).gamma(gamma).rounds(8).learningRate(0.3);
        String name = objective.name() + new TreeMap<>(objective.parameters()) + ", gamma " + gamma;
        fit(name, settings, rows, FrozenRows.PLAIN);
        fit(
            name + ", linear base",
            settings.linearBase(new LinearBase(0.01, 0.5)),
            rows,
            FrozenRows.PLAIN);
        if (objective.outputs() > 1) {
          fit(
              name + ", trees by class",
              settings.linearBase(null).multiclass(MulticlassTrees.PER_CLASS),
              rows,
              FrozenRows.PLAIN);
        }
      }
    }
  }

  private void columns() {
    for (String name : List.of("squared", "logistic", "poisson")) {
      Objective objective = Objective.named(name);
      for (int categories : new int[] {40, 200}) {
        var features = FrozenRows.categories(categories);
        Rows rows = FrozenRows.of(objective, 3_000, features, 4);
        var settings = BoosterSettings.builder(objective).rounds(10);
        fit(name + ", " + categories + " categories", settings, rows, features);
        fit(name + ", " + categories + " categories, gamma 4", settings.gamma(4), rows, features);
      }
      Rows many = FrozenRows.of(objective, 20_000, FrozenRows.PLAIN, 4);
      var settings = BoosterSettings.builder(objective).rounds(5);
      fit(name + ", 20,000 rows", settings, many, FrozenRows.PLAIN);
      fit(
          name + ", 20,000 rows, sampled, monotone, penalties, bins, deep",
          settings
              .sampling(new Sampling(0.7, 0.6))
              .seed(7)
              .monotone("size", 1)
              .penalties(new Penalties(0.1, 2, 0.01))
              .maxBins(1000)
              .trees(new TreeLimits(100, 40, 5, 0.1, 1e-3)),
          many,
          FrozenRows.PLAIN);
    }
    Objective softmax = Objective.of("softmax", Map.of("classes", 3.0));
    var features = FrozenRows.categories(100);
    Rows rows = FrozenRows.of(softmax, 3_000, features, 4);
    fit("softmax, 100 categories", BoosterSettings.builder(softmax).rounds(5), rows, features);
  }

  private void anchors() {
    for (String name : List.of("squared", "probit", "poisson")) {
      Objective objective = Objective.named(name);
      Rows rows = FrozenRows.of(objective, 1_500, FrozenRows.PLAIN, 6);
      var settings = BoosterSettings.builder(objective).rounds(8);
      Map<String, Anchoring> kinds = new LinkedHashMap<>();
      kinds.put("continuous", Anchoring.continuous(4));
      kinds.put("mixed", Anchoring.mixed(4));
      kinds.put("environments, anchorSplits", Anchoring.environments(4).withSplits(true));
      kinds.forEach(
          (kind, anchoring) ->
              fit(name + ", " + kind, settings.anchoring(anchoring), rows, FrozenRows.PLAIN));
    }
  }

  private void continued() {
    for (String name : List.of("squared", "logistic", "quantile", "ordinal")) {
      Objective objective =
          EveryObjectiveTest.OBJECTIVES.stream()
              .filter(one -> one.name().equals(name))
              .findFirst()
              .orElseThrow();
      Booster booster = new Booster(BoosterSettings.builder(objective).rounds(4).build());
      Model model = Booster.untrained(booster(objective), FrozenRows.PLAIN);
      @Nullable Bins bins = null;
      for (int window = 0; window < 3; window++) {
        Rows rows = FrozenRows.of(objective, 900 + window, FrozenRows.PLAIN, 3);
        KeptBins kept = new KeptBins(bins, (_, _) -> true);
        Fit fit = booster.extend(model, FrozenRows.PLAIN, kept, rows, FitListener.NONE);
        model = fit.model();
        bins = fit.bins();
      }
      Rows last = FrozenRows.of(objective, 800, FrozenRows.PLAIN, 3);
      note(name + ", three windows, bins kept", model, last);
      note(name + ", refitted", booster.refit(model, last, 0.5).model(), last);
      Rows held = FrozenRows.of(objective, 400, FrozenRows.PLAIN, 3);
      var stopping = new EarlyStopping(held, new EarlyStopping.Criterion.Mean(), 3);
      Fit stopped =
          new Booster(BoosterSettings.builder(objective).rounds(40).learningRate(0.5).build())
              .fit(FrozenRows.PLAIN, last, stopping, FitListener.NONE);
      note(name + ", stopped early", stopped.model(), held);
    }
  }

  private static BoosterSettings booster(Objective objective) {
    return BoosterSettings.builder(objective).build();
  }

  private void votes() {
    for (int classes : new int[] {2, 4}) {
      Objective objective = Objective.of("softmax", Map.of("classes", (double) classes));
      Rows rows = FrozenRows.of(objective, 1_000, FrozenRows.PLAIN, 2);
      AdaBoostSettings stumps = AdaBoostSettings.stumps(10);
      Map<String, AdaBoostSettings> kinds = new LinkedHashMap<>();
      kinds.put("stumps", stumps);
      kinds.put("depth 3", stumps.withMaxDepth(3));
      kinds.put("drawn", stumps.withResampling(5));
      kinds.forEach(
          (kind, settings) ->
              note(
                  "adaboost, " + classes + " classes, " + kind,
                  new AdaBooster(settings).fit(classes, FrozenRows.PLAIN, rows).model(),
                  rows));
    }
  }

  private void fit(
      String name, BoosterSettings.Builder settings, Rows rows, List<Feature> features) {
    note(name, new Booster(settings.build()).fit(features, rows).model(), rows);
  }

  private void note(String name, Model model, Rows rows) {
    String hashes = FrozenHash.of(model) + " " + FrozenHash.of(Scorer.of(model).scores(rows));
    assertThat(now.put(name, hashes)).as(name).isNull();
  }

  private static Map<String, String> frozen() throws IOException {
    Map<String, String> frozen = new LinkedHashMap<>();
    try (InputStream in = FrozenModelsTest.class.getResourceAsStream(FROZEN)) {
      assertThat(in).as(FROZEN).isNotNull();
      List<String> lines =
          new ArrayList<>(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      for (String line : lines) {
        int at = line.lastIndexOf(" = ");
        frozen.put(line.substring(0, at), line.substring(at + 3));
      }
    }
    return frozen;
  }
}
