package io.holdfast.bench.training;

import io.holdfast.boosting.Anchoring;
import java.lang.foreign.Arena;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;

/** What an anchor of twelve environments costs a round, and what the published algorithm takes. */
@Command(
    name = "anchors",
    description = "Trains windows with and without an anchor, and as published, in turn.")
public final class AnchorCostCommand extends RaceCommand {
  private static final double GAMMA = 7;

  public AnchorCostCommand() {
    super(30);
  }

  @Override
  WindowTask task(boolean binary, int rows, int width) {
    return WindowTask.of(binary, rows, width, 0, 1, 0);
  }

  @Override
  Map<String, Contender> contenders(WindowTask task, Arena arena) {
    Map<String, Contender> all = new LinkedHashMap<>();
    all.put("Holdfast, gamma 1", new HoldfastContender(task, false, settings -> settings));
    all.put(
        "Holdfast, gamma 7", new HoldfastContender(task, false, settings -> settings.gamma(GAMMA)));
    var splits = Anchoring.environments(GAMMA).withSplits(true);
    all.put(
        "Holdfast, gamma 7, anchorSplits",
        new HoldfastContender(task, false, settings -> settings.anchoring(splits)));
    all.put("published algorithm, gamma 7", new PublishedAnchorContender(task, GAMMA, arena));
    return all;
  }
}
