package io.holdfast.bench.training;

import io.holdfast.bench.peer.LightGbm;
import io.holdfast.boosting.Anchoring;
import io.holdfast.boosting.BoosterSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What an anchor of twelve environments costs a round, and what the published algorithm takes. */
@Command(
    name = "anchors",
    description = "Trains windows with and without an anchor, and as published, in turn.",
    mixinStandardHelpOptions = true)
public final class AnchorCostCommand implements Callable<Integer> {
  private static final double GAMMA = 7;

  @Spec CommandSpec spec;

  @Option(
      names = "--rows",
      split = ",",
      defaultValue = "10000,100000",
      description = "Rows of a window (${DEFAULT-VALUE}).")
  int[] sizes;

  @Option(names = "--features", split = ",", defaultValue = "30")
  int[] widths;

  @Option(names = "--runs", defaultValue = "7", description = "Counted runs (${DEFAULT-VALUE}).")
  int runs;

  @Option(
      names = "--warm-up",
      defaultValue = "5",
      description = "Runs of each that are not counted (${DEFAULT-VALUE}).")
  int warmUp;

  @Override
  public Integer call() throws IOException {
    LightGbm.load();
    PrintWriter out = spec.commandLine().getOut();
    out.println(Race.HEADER);
    for (boolean binary : new boolean[] {false, true}) {
      for (int size : sizes) {
        for (int width : widths) {
          var task = Task.of(binary, size, width, 0, 1);
          try (Arena arena = Arena.ofConfined()) {
            List<Contender> contenders = new ArrayList<>();
            contenders.add(holdfast("gamma 1", task, UnaryOperator.identity()));
            contenders.add(holdfast("gamma 7", task, settings -> settings.gamma(GAMMA)));
            contenders.add(
                holdfast(
                    "gamma 7, anchorSplits",
                    task,
                    settings ->
                        settings.anchoring(Anchoring.environments(GAMMA).withSplits(true))));
            contenders.add(new PublishedAnchorContender(task, GAMMA, arena));
            new Race(contenders, runs, warmUp).print(task, out);
          }
        }
      }
    }
    return 0;
  }

  private static Contender holdfast(
      String name, Task task, UnaryOperator<BoosterSettings.Builder> change) {
    return new HoldfastContender("Holdfast, " + name, task, change);
  }
}
