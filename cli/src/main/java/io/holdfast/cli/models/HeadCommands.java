package io.holdfast.cli.models;

import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that write a model's head: which version serves, is trained on, or shadows. */
final class HeadCommands {
  private HeadCommands() {}

  @Command(
      name = "rollback",
      description = "Makes an older version serve again, and training grow from it.",
      footerHeading = "%nExample:%n",
      footer = {
        "  holdfast models rollback bikes@11 --why \"version 12 is off in winter\"",
        "",
        "Scorers swap within a moment. Nothing is deleted: what was trained after stays on the"
            + " topic and",
        "can be promoted. The next version trained has the next free number and this one as its"
            + " parent.",
      })
  static final class Rollback extends BaseCommand {
    @Parameters(paramLabel = "MODEL@VERSION", description = "The version to go back to.")
    private VersionName name;

    @Mixin private HeadOptions head = new HeadOptions();

    @Override
    protected void run() {
      head.apply(head.settings(), name.model(), new HeadChange.RolledBack(name.named()));
    }
  }

  @Command(
      name = "pin",
      description = "Makes a version serve until it is unpinned, whatever is trained meanwhile.",
      footerHeading = "%nExample:%n",
      footer = {
        "  holdfast models pin bikes@11 --why \"audit until Friday\"",
        "",
        "The trainer goes on: its versions are published and do not serve.",
      })
  static final class Pin extends BaseCommand {
    @Parameters(paramLabel = "MODEL@VERSION", description = "The version that is to serve.")
    private VersionName name;

    @Mixin private HeadOptions head = new HeadOptions();

    @Override
    protected void run() {
      head.apply(head.settings(), name.model(), new HeadChange.Pinned(name.named()));
    }
  }

  @Command(
      name = "unpin",
      description = "Lets training move what serves again.",
      footerHeading = "%nExample:%n",
      footer = {
        "  holdfast models unpin bikes",
        "",
        "The newest version serves at once; with update.gate manual, what was pinned serves on"
            + " until",
        "another is promoted.",
      })
  static final class Unpin extends BaseCommand {
    @Parameters(paramLabel = "MODEL", description = "The model.")
    private VersionName name;

    @Mixin private HeadOptions head = new HeadOptions();

    @Override
    protected void run() {
      head.apply(head.settings(), name.alone(), new HeadChange.Unpinned());
    }
  }

  @Command(
      name = "shadow",
      description = "Makes a version score beside the one that serves, without being served.",
      footerHeading = "%nExamples:%n",
      footer = {
        "  holdfast models shadow bikes@12",
        "  holdfast models shadow bikes none",
        "  holdfast models shadow bikes@12 --promote-when better --error 0.01",
        "",
        "Its scores go to the topic MODEL.shadow-scores, which topics create makes. Reports compare"
            + " it",
        "with what was served on the same labelled rows. With --promote-when the trainer promotes"
            + " it as",
        "soon as the rows show that it loses less than what serves; where it does not, it is"
            + " promoted with",
        "a chance of --error at most, however long it shadows.",
      })
  static final class Shadow extends BaseCommand {
    @Parameters(
        index = "0",
        paramLabel = "MODEL[@VERSION]",
        description = "The version that is to shadow.")
    private VersionName name;

    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "none",
        description = "Behind the model alone: no version is to.")
    private @Nullable String none;

    @Option(
        names = "--promote-when",
        paramLabel = "better",
        description = "Promote it once it is shown to be better.")
    private @Nullable String when;

    @Option(
        names = "--error",
        paramLabel = "RATE",
        description = "The chance, at most, that it is and is not (default: 0.01).")
    private @Nullable Double error;

    @Mixin private HeadOptions head = new HeadOptions();

    @Override
    protected void run() {
      Double promoteError = promoteError();
      Settings settings = head.settings();
      if (none != null) {
        if (promoteError != null) {
          throw CommandException.usage("with none there is no version to promote");
        }
        if (!none.equals("none")) {
          throw CommandException.usage(
              "behind the model stands none, to end a shadow, or nothing: %s", none);
        }
        head.apply(settings, name.alone(), new HeadChange.Unshadowed());
        return;
      }
      long version = name.named();
      List<String> problems = TopicCheck.shadowProblems(settings, settings.model(name.model()));
      if (!problems.isEmpty()) {
        throw CommandException.failed("%s", String.join("; ", problems));
      }
      head.apply(settings, name.model(), new HeadChange.Shadowed(version, promoteError));
    }

    private @Nullable Double promoteError() {
      if (when == null) {
        if (error != null) {
          throw CommandException.usage("--error says when to promote: give --promote-when better");
        }
        return null;
      }
      if (!when.equals("better")) {
        throw CommandException.usage("--promote-when knows better alone: %s", when);
      }
      double rate = error == null ? 0.01 : error;
      if (!(rate > 0 && rate < 1)) {
        throw CommandException.usage("--error must be above 0 and below 1: %s", rate);
      }
      return rate;
    }
  }

  @Command(
      name = "promote",
      description = "Makes a version serve that waits for it, or shadows.",
      footerHeading = "%nExamples:%n",
      footer = {
        "  holdfast models promote bikes",
        "  holdfast models promote bikes@12 --why \"better in every region\"",
        "",
        "MODEL alone means the version that training grows from: with update.gate manual, the"
            + " newest",
        "that waits. Training goes on from there if the version promoted is one of its ancestors,"
            + " and",
        "otherwise from the version promoted.",
      })
  static final class Promote extends BaseCommand {
    @Parameters(paramLabel = "MODEL[@VERSION]", description = "The version that is to serve.")
    private VersionName name;

    @Mixin private HeadOptions head = new HeadOptions();

    @Override
    protected void run() {
      Settings settings = head.settings();
      Long named = name.version();
      long version =
          named != null
              ? named
              : HeadRules.tipVersion(ModelTopic.read(settings).head(name.model()));
      head.apply(settings, name.model(), new HeadChange.Promoted(version));
    }
  }

  @Command(
      name = "rung",
      description = "Lets the leaf values of another gamma of the ladder score.",
      footerHeading = "%nExample:%n",
      footer = {
        "  holdfast models rung bikes --gamma 10 --why \"strike: nothing is as it was\"",
        "",
        "It is published as a version of its own, with the same trees and no training. Those that",
        "are trained later score with the same gamma, unless ladder.serve is adaptive or changes.",
      })
  static final class Rung extends BaseCommand {
    @Parameters(paramLabel = "MODEL", description = "The model.")
    private VersionName name;

    @Option(
        names = "--gamma",
        paramLabel = "NUMBER",
        required = true,
        description = "One of the ladder's gammas, or what the trees were grown with.")
    private double gamma;

    @Mixin private HeadOptions head = new HeadOptions();

    @Override
    protected void run() {
      head.climb(head.settings(), name.alone(), gamma);
    }
  }
}
