package io.holdfast.cli.models;

import io.holdfast.schemas.ledger.HeadChange;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast models pin}. */
@Command(
    name = "pin",
    description = "Makes a version serve until it is unpinned, whatever is trained meanwhile.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast models pin bikes@11 --why \"audit until Friday\"",
      "",
      "The trainer goes on: its versions are published and do not serve.",
    })
final class ModelsPinCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "MODEL@VERSION",
      converter = VersionName.Reader.class,
      description = "The version that is to serve.")
  private VersionName name;

  @Mixin private HeadOptions head = new HeadOptions();

  @Override
  public Integer call() {
    return head.apply(head.settings(), name.model(), new HeadChange.Pinned(name.named()));
  }
}
