package io.holdfast.bench;

import io.holdfast.bench.Alternatives.Alternative;
import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.Split;
import io.holdfast.bench.data.Task;
import io.holdfast.bench.scoring.KernelChoice;
import io.holdfast.boosting.Anchoring;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.LinearBase;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the defaults were chosen by: one command a choice. */
@Command(
    name = "choices",
    description = "Measures the alternatives that a default was chosen from.",
    mixinStandardHelpOptions = true,
    subcommands = {
      Choices.Splits.class,
      Choices.Base.class,
      ClassTreeChoice.class,
      RefitChoice.class,
      KernelChoice.class
    })
final class Choices {
  private Choices() {}

  /** Whether splits should know of the anchor. */
  @Command(
      name = "splits",
      description = "Splits chosen without and with the anchor's coupling of leaves.",
      mixinStandardHelpOptions = true)
  static final class Splits extends OnUnseenEnvironments {
    @Override
    Alternatives alternatives() {
      return new Alternatives(
          List.of(
              new Alternative("plain", settings -> settings),
              new Alternative("anchorSplits", Splits::withAnchor)),
          List.of(2.0, 7.0));
    }

    private static BoosterSettings withAnchor(BoosterSettings settings) {
      Anchoring plain = settings.anchoring();
      return settings.toBuilder()
          .anchoring(new Anchoring(plain.gamma(), plain.design(), true))
          .build();
    }
  }

  /** Whether trees should stand on a linear function. */
  @Command(
      name = "base",
      description = "Trees on a constant, and on linear functions with some penalties.",
      mixinStandardHelpOptions = true)
  static final class Base extends OnUnseenEnvironments {
    @Override
    Alternatives alternatives() {
      return new Alternatives(
          List.of(
              on("constant", null),
              on("ridge 0.01", new LinearBase(0.01, 0)),
              on("ridge 1", new LinearBase(1, 0)),
              on("elastic net 0.1", new LinearBase(0.1, 0.5))),
          List.of(1.0, 7.0));
    }

    private static Alternative on(String name, @Nullable LinearBase base) {
      return new Alternative(name, settings -> settings.toBuilder().linearBase(base).build());
    }
  }

  /** A choice that is measured on environments left out in turn. */
  abstract static class OnUnseenEnvironments implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Mixin DataOptions data;

    @Option(
        names = "--tasks",
        split = ",",
        defaultValue = "bikes-squared,weather-squared,cover-logistic,turbine-squared",
        description = "What to learn (${DEFAULT-VALUE}).")
    List<String> tasks;

    @Option(
        names = "--rounds",
        defaultValue = "60",
        description = "Rounds at most (${DEFAULT-VALUE}).")
    int rounds;

    abstract Alternatives alternatives();

    @Override
    public final Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      Alternatives alternatives = alternatives();
      List<Task> chosen = Task.named(tasks);
      for (Task task : chosen) {
        data.folder().file(task.data().file()); // better told now than after an hour
      }
      for (Task task : chosen) {
        LabelledRows all = LabelledRows.read(data.folder(), task);
        var rows = Split.sample(all.rows(), data.quick ? 500 : data.rows, 1);
        alternatives.measure(task, new LabelledRows(all.features(), rows), data.quick ? 3 : rounds);
      }
      out.print(alternatives);
      out.flush();
      return 0;
    }
  }
}
