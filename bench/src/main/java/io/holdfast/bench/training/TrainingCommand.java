package io.holdfast.bench.training;

import io.holdfast.bench.peer.LightGbm;
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

/**
 * A window added to an ensemble by Holdfast, by LightGBM as it is by default and with quantised
 * gradients, and by XGBoost: same rows, leaves, bins, rounds and regularisation.
 */
@Command(
    name = "training",
    description = "Trains the same windows with Holdfast, LightGBM and XGBoost, in turn.",
    mixinStandardHelpOptions = true)
public final class TrainingCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(
      names = "--rows",
      split = ",",
      defaultValue = "1000,10000,100000",
      description = "Rows of a window (${DEFAULT-VALUE}).")
  int[] sizes;

  @Option(names = "--features", split = ",", defaultValue = "10,30")
  int[] widths;

  @Option(
      names = "--objectives",
      split = ",",
      defaultValue = "squared,logistic",
      description = "Which of squared and logistic (${DEFAULT-VALUE}).")
  List<String> objectives;

  @Option(
      names = "--threads",
      defaultValue = "1",
      description =
          "Threads of each (${DEFAULT-VALUE}). With one, times are the processor's; with more, the"
              + " wall's.")
  int threads;

  @Option(
      names = "--ensemble",
      defaultValue = "100",
      description = "Trees there are before, from an earlier window (${DEFAULT-VALUE}).")
  int ensemble;

  @Option(
      names = "--runs",
      defaultValue = "7",
      description = "Counted runs of each (${DEFAULT-VALUE}).")
  int runs;

  @Option(
      names = "--warm-up",
      defaultValue = "5",
      description = "Runs of each that are not counted (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(
      names = "--peers",
      split = ",",
      defaultValue = "quantised,bins,xgboost",
      description =
          "Besides LightGBM as it is: with quantised gradients, with bins kept from the earlier"
              + " window, and XGBoost (${DEFAULT-VALUE}).")
  List<String> peers;

  @Override
  public Integer call() throws IOException {
    LightGbm.load();
    PrintWriter out = spec.commandLine().getOut();
    out.println(Race.HEADER);
    for (String objective : objectives) {
      for (int size : sizes) {
        for (int width : widths) {
          boolean binary = "logistic".equals(objective);
          var task = Task.of(binary, size, width, ensemble, threads);
          try (Arena arena = Arena.ofConfined()) {
            new Race(contenders(task, arena), runs, warmUp).print(task, out);
          }
        }
      }
    }
    return 0;
  }

  private List<Contender> contenders(Task task, Arena arena) {
    List<Contender> contenders = new ArrayList<>();
    contenders.add(new LightGbmContender("LightGBM", task, "", false, arena));
    contenders.add(new HoldfastContender("Holdfast", task, UnaryOperator.identity()));
    contenders.add(
        new HoldfastContender("Holdfast, bins kept", task, true, UnaryOperator.identity()));
    if (peers.contains("quantised")) {
      String quantised = "use_quantized_grad=true";
      contenders.add(new LightGbmContender("LightGBM, quantised", task, quantised, false, arena));
    }
    if (peers.contains("bins")) {
      contenders.add(new LightGbmContender("LightGBM, bins kept", task, "", true, arena));
    }
    if (peers.contains("xgboost")) {
      contenders.add(new XgBoostContender(task));
    }
    return contenders;
  }
}
