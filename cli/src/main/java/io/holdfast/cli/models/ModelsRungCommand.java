package io.holdfast.cli.models;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast models rung}. */
@Command(
    name = "rung",
    description = "Lets the leaf values of another gamma of the ladder score.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast models rung bikes --gamma 10 --why \"strike: nothing is as it was\"",
      "",
      "It is published as a version of its own, with the same trees and no training. Those that",
      "are trained later score with the same gamma, unless ladder.serve is adaptive or changes.",
    })
final class ModelsRungCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "MODEL",
      converter = VersionName.Reader.class,
      description = "The model.")
  private VersionName name;

  @Option(
      names = "--gamma",
      paramLabel = "NUMBER",
      required = true,
      description = "One of the ladder's gammas, or what the trees were grown with.")
  private double gamma;

  @Mixin private HeadOptions head = new HeadOptions();

  @Override
  public Integer call() {
    return head.climb(head.settings(), name.alone(), gamma);
  }
}
