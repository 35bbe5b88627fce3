package io.holdfast.cli.models;

import io.holdfast.schemas.ledger.HeadChange;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast models rollback}. */
@Command(
    name = "rollback",
    description = "Makes an older version serve again, and training grow from it.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast models rollback bikes@11 --why \"version 12 is off in winter\"",
      "",
      "Scorers swap within a moment. Nothing is deleted: what was trained after stays on the topic and",
      "can be promoted. The next version trained has the next free number and this one as its parent.",
    })
final class ModelsRollbackCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "MODEL@VERSION",
      converter = VersionName.Reader.class,
      description = "The version to go back to.")
  private VersionName name;

  @Mixin private HeadOptions head = new HeadOptions();

  @Override
  public Integer call() {
    return head.apply(head.settings(), name.model(), new HeadChange.RolledBack(name.named()));
  }
}
