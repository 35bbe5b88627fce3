package io.holdfast.cli.models;

import io.holdfast.schemas.ledger.HeadChange;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast models unpin}. */
@Command(
    name = "unpin",
    description = "Lets training move what serves again.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast models unpin bikes",
      "",
      "The newest version serves at once; with update.gate manual, what was pinned serves on until",
      "another is promoted.",
    })
final class ModelsUnpinCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "MODEL",
      converter = VersionName.Reader.class,
      description = "The model.")
  private VersionName name;

  @Mixin private HeadOptions head = new HeadOptions();

  @Override
  public Integer call() {
    return head.apply(head.settings(), name.alone(), new HeadChange.Unpinned());
  }
}
