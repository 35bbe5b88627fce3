package io.holdfast.bench.training;

import java.lang.foreign.Arena;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A window added to an ensemble by Holdfast, by LightGBM and by XGBoost: same rows, leaves, bins,
 * rounds and regularisation.
 */
@Command(
    name = "training",
    description = "Trains the same windows with Holdfast, LightGBM and XGBoost, in turn.")
public final class TrainingCommand extends RaceCommand {
  @Option(
      names = "--threads",
      description =
          "Threads of each (${DEFAULT-VALUE}). With one, times are the processor's; with more, the"
              + " wall's.")
  int threads = 1;

  @Option(
      names = "--peers",
      split = ",",
      defaultValue = "xgboost",
      description = "Who trains beside LightGBM: xgboost or none (${DEFAULT-VALUE}).")
  List<String> peers;

  public TrainingCommand() {
    super(10, 30);
  }

  @Override
  WindowTask task(boolean binary, int rows, int width) {
    return WindowTask.of(binary, rows, width, ENSEMBLE, threads, 0);
  }

  @Override
  Map<String, Contender> contenders(WindowTask task, Arena arena) {
    Map<String, Contender> all = new LinkedHashMap<>();
    all.put("LightGBM", new LightGbmContender(task, arena));
    all.put("Holdfast", new HoldfastContender(task, false, settings -> settings));
    all.put("Holdfast, bins kept", new HoldfastContender(task, true, settings -> settings));
    if (peers.contains("xgboost")) {
      all.put("XGBoost", new XgBoostContender(task));
    }
    return all;
  }
}
