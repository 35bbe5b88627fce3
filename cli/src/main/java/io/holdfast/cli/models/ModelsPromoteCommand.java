package io.holdfast.cli.models;

import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.settings.Settings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast models promote}. */
@Command(
    name = "promote",
    description = "Makes a version serve that waits for it, or shadows.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast models promote bikes",
      "  holdfast models promote bikes@12 --why \"better in every region\"",
      "",
      "MODEL alone means the version that training grows from: with update.gate manual, the newest",
      "that waits. Training goes on from there if the version promoted is one of its ancestors, and",
      "otherwise from the version promoted.",
    })
final class ModelsPromoteCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "MODEL[@VERSION]",
      converter = VersionName.Reader.class,
      description = "The version that is to serve.")
  private VersionName name;

  @Mixin private HeadOptions head = new HeadOptions();

  @Override
  public Integer call() {
    Settings settings = head.settings();
    Long named = name.version();
    long version =
        named != null ? named : HeadRules.tipVersion(ModelTopic.read(settings).head(name.model()));
    return head.apply(settings, name.model(), new HeadChange.Promoted(version));
  }
}
