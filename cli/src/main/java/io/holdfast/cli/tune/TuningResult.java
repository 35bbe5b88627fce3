package io.holdfast.cli.tune;

import static io.holdfast.cli.print.Table.figure;

import io.holdfast.cli.config.ConfigWriter;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Table;
import io.holdfast.cli.tune.Trials.Candidate;
import io.holdfast.cli.tune.Trials.Trial;
import io.holdfast.schemas.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * What a search found: the given settings, and those tried on all rows, the best first. {@code
 * beyondNoise} if the best lose less than the given ones by all of its interval.
 */
record TuningResult(
    String file,
    long rows,
    String cv,
    String by,
    int drawn,
    double given,
    double level,
    boolean beyondNoise,
    List<Choice> choices) {
  private static final int MOST = 10;

  /** Settings, what they lose, and how much more than the given ones, over folds. */
  record Choice(
      String name,
      Map<String, String> settings,
      double loss,
      List<Double> folds,
      FoldDifference difference) {}

  static TuningResult of(
      String file,
      long rows,
      String cv,
      String by,
      Halving.Found found,
      IntFunction<Candidate> draw) {
    int compared = found.finals().size() - 1;
    List<Choice> choices = new ArrayList<>();
    for (Trial trial : found.finals()) {
      Candidate candidate = draw.apply(trial.candidate());
      choices.add(
          new Choice(
              candidate.name(),
              candidate.keys(),
              trial.loss(),
              trial.folds(),
              FoldDifference.of(trial.folds(), found.given().folds(), compared)));
    }
    return new TuningResult(
        file,
        rows,
        cv,
        by,
        found.drawn(),
        found.given().loss(),
        FoldDifference.LEVEL,
        choices.getFirst().difference().high() < 0,
        choices);
  }

  Choice best() {
    return choices.getFirst();
  }

  void print(String model, Console console) {
    Table table = new Table("settings", "loss", "more than as given", "from", "to");
    for (Choice choice : choices.subList(0, Math.min(MOST, choices.size()))) {
      FoldDifference difference = choice.difference();
      if (choice.settings().isEmpty()) {
        table.line(choice.name(), figure(choice.loss()), "", "", "");
      } else {
        table.line(
            choice.name(),
            figure(choice.loss()),
            figure(difference.mean()),
            figure(difference.low()),
            figure(difference.high()));
      }
    }
    console.line("%s", table);
    console.line("%s", verdict());
    if (!best().settings().isEmpty()) {
      console.line("%n%s", ConfigWriter.fragment(model, best().settings()).strip());
    }
  }

  private String verdict() {
    String tried = Sentence.of("Of %d settings, by %s: ", drawn, cv);
    if (best().settings().isEmpty()) {
      return tried + "none loses less than those given.";
    }
    String name = best().name().replaceFirst(" .*", "");
    String loses =
        Sentence.of(
            "%s loses least, %s where the given lose %s",
            name, figure(best().loss()), figure(given));
    return tried
        + loses
        + (beyondNoise
            ? ": less by more than chance."
            : ". That is not beyond noise: the given settings are as good a choice.");
  }
}
