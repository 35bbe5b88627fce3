package io.holdfast.cli.models;

import io.holdfast.cli.options.CommandException;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast models shadow}. */
@Command(
    name = "shadow",
    description = "Makes a version score beside the one that serves, without being served.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast models shadow bikes@12",
      "  holdfast models shadow bikes none",
      "",
      "Its scores go to the topic MODEL.shadow-scores, which topics create makes. Reports compare it",
      "with what was served on the same labelled rows.",
    })
final class ModelsShadowCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "MODEL[@VERSION]",
      converter = VersionName.Reader.class,
      description = "The version that is to shadow.")
  private VersionName name;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "none",
      description = "Behind the model alone: no version is to.")
  private @Nullable String none;

  @Mixin private HeadOptions head = new HeadOptions();

  @Override
  public Integer call() {
    Settings settings = head.settings();
    if (none != null) {
      if (!none.equals("none")) {
        throw CommandException.usage(
            "behind the model stands none, to end a shadow, or nothing: %s", none);
      }
      return head.apply(settings, name.alone(), new HeadChange.Unshadowed());
    }
    long version = name.named();
    List<String> problems = TopicCheck.shadowProblems(settings, settings.model(name.model()));
    if (!problems.isEmpty()) {
      throw CommandException.failed("%s", String.join("; ", problems));
    }
    return head.apply(settings, name.model(), new HeadChange.Shadowed(version));
  }
}
