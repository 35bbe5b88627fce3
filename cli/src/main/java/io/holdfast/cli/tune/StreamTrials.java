package io.holdfast.cli.tune;

import io.holdfast.boosting.evaluate.EnvironmentSpread;
import io.holdfast.cli.learn.Backtest.Judged;
import io.holdfast.cli.learn.BacktestRun;
import io.holdfast.cli.learn.BacktestRun.Result;
import java.util.ArrayList;
import java.util.List;

/**
 * Replays the first rows of a stream as a backtest does. The first half is a warm-up that does not
 * count; stretches of the second are the folds.
 */
record StreamTrials(BacktestRun run, boolean byWorst) implements Trials {
  @Override
  public List<Trial> run(List<Candidate> candidates, long rows) {
    List<BacktestRun.Candidate> named =
        candidates.stream()
            .map(one -> new BacktestRun.Candidate(one.name(), one.settings()))
            .toList();
    List<Result> results = run.run(named, rows, () -> {});
    List<Trial> trials = new ArrayList<>();
    for (int k = 0; k < results.size(); k++) {
      Judged judged = results.get(k).outcome().judged();
      double loss =
          byWorst && !judged.environments().isEmpty()
              ? EnvironmentSpread.of(judged.environments().values(), 1)
                  .worst()
                  .getOrDefault("loss", Double.NaN)
              : judged.loss();
      trials.add(new Trial(candidates.get(k).number(), rows, loss, judged.stretches()));
    }
    return trials;
  }
}
