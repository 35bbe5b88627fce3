package io.holdfast.cli.letters;

import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.log.Letter;
import io.holdfast.schemas.log.Letters;
import io.holdfast.schemas.log.Redrive;
import io.holdfast.schemas.settings.Settings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "dead-letters",
    description = "Shows what could not be used, and sends it in again once that is mended.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DeadLettersCommand.ListThem.class,
      DeadLettersCommand.Show.class,
      DeadLettersCommand.SendIn.class
    })
public final class DeadLettersCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "dead-letters needs to be told what to do: list, show or redrive");
  }

  private static Letters letters(ConfigOptions config) {
    Settings settings = config.settings();
    return Letters.of(settings.kafka(), config.model(settings).topics().deadLetters());
  }

  @Command(
      name = "list",
      description = "Counts a model's dead letters by what they are of and why.",
      footerHeading = "%nExample:%n",
      footer = "  holdfast dead-letters list --config holdfast.yml --model bikes")
  static final class ListThem extends BaseCommand {
    @Mixin private ConfigOptions config = new ConfigOptions();
    @Mixin private LetterFilter filter = new LetterFilter();
    @Mixin private JsonOption output = new JsonOption();

    /**
     * Letters of one reason; the times are those of their messages.
     *
     * @param refused when the newest letter was written; null if it does not say
     */
    private record Kind(
        String of,
        String reason,
        long letters,
        Instant first,
        Instant last,
        @Nullable Instant refused,
        String newest,
        String sentence) {
      private Kind and(Letter letter) {
        Instant at = letter.time();
        return new Kind(
            of,
            reason,
            letters + 1,
            at.isBefore(first) ? at : first,
            at.isAfter(last) ? at : last,
            letter.refused(),
            letter.place(),
            letter.sentence());
      }
    }

    @Override
    protected void run() {
      Map<String, Kind> kinds = new TreeMap<>();
      letters(config)
          .forEachLeft(
              letter -> {
                if (filter.takes(letter)) {
                  kinds.merge(
                      letter.of() + " " + letter.reason(),
                      new Kind(
                              letter.of(),
                              letter.reason(),
                              0,
                              Instant.MAX,
                              Instant.MIN,
                              null,
                              "",
                              "")
                          .and(letter),
                      (before, _) -> before.and(letter));
                }
              });
      output.print(
          List.copyOf(kinds.values()),
          (console, all) -> {
            Table table =
                new Table(true, "of", "reason", "letters", "last", "refused", "newest", "says");
            all.forEach(
                kind ->
                    table.line(
                        kind.of(),
                        kind.reason(),
                        kind.letters(),
                        kind.last().toString(),
                        kind.refused() == null ? "?" : kind.refused().toString(),
                        kind.newest(),
                        kind.sentence()));
            console.text(all.isEmpty() ? "There are no dead letters.\n" : table.toString());
          });
    }
  }

  @Command(
      name = "show",
      description = "Shows a dead letter: where it came from, why, its key, headers and value.",
      footerHeading = "%nExample:%n",
      footer = "  holdfast dead-letters show 0:17 --config holdfast.yml --model bikes")
  static final class Show extends BaseCommand {
    @Parameters(
        paramLabel = "PARTITION:OFFSET",
        description = "Where it stands on the topic of dead letters, as list says.")
    private String place = "";

    @Mixin private ConfigOptions config = new ConfigOptions();
    @Mixin private JsonOption output = new JsonOption();

    /**
     * Text where bytes are text, else hex digits.
     *
     * @param at the message's own time
     * @param refused when the letter was written; null if it does not say
     */
    private record Shown(
        String of,
        String reason,
        String sentence,
        @Nullable String from,
        Instant at,
        @Nullable Instant refused,
        @Nullable String key,
        Map<String, @Nullable String> headers,
        @Nullable String value) {}

    @Override
    protected void run() {
      List<Letter> found = new ArrayList<>();
      letters(config)
          .forEachLeft(
              letter -> {
                if (letter.place().equals(place)) {
                  found.add(letter);
                }
              });
      if (found.isEmpty()) {
        throw CommandException.failed("there is no dead letter at %s", place);
      }
      output.print(
          shown(found.getFirst()),
          (console, letter) -> {
            console.line("%s of a %s: %s", letter.reason(), letter.of(), letter.sentence());
            console.line("from     %s, of %s", String.valueOf(letter.from()), letter.at());
            if (letter.refused() != null) {
              console.line("refused  %s", String.valueOf(letter.refused()));
            }
            console.line("key      %s", String.valueOf(letter.key()));
            letter.headers().forEach((name, text) -> console.line("header   %s: %s", name, text));
            console.line("value    %s", String.valueOf(letter.value()));
          });
    }

    private static Shown shown(Letter letter) {
      Map<String, @Nullable String> headers = new LinkedHashMap<>();
      for (Header header : letter.headers()) {
        headers.put(header.key(), Letter.shown(header.value()));
      }
      var origin = letter.origin();
      return new Shown(
          letter.of(),
          letter.reason(),
          letter.sentence(),
          origin == null
              ? null
              : origin.topic()
                  + ", partition "
                  + origin.partition()
                  + ", offset "
                  + origin.offset(),
          letter.time(),
          letter.refused(),
          Letter.shown(letter.record().key()),
          headers,
          Letter.shown(letter.record().value()));
    }
  }

  @Command(
      name = "redrive",
      description = "Sends dead letters in again, each once, to where they came from.",
      footerHeading = "%nExamples:%n",
      footer = {
        "  holdfast dead-letters redrive --reason UNKNOWN_SCHEMA --config holdfast.yml --model"
            + " bikes",
        "  holdfast dead-letters redrive --at 0:17 --config holdfast.yml --model bikes --dry-run",
        "",
        "Mend the cause first: what still cannot be used becomes a dead letter again. A letter and",
        "the mark that it was sent in are written in one transaction; who, which and why is in",
        "models history.",
      })
  static final class SendIn extends BaseCommand {
    @Mixin private ConfigOptions config = new ConfigOptions();
    @Mixin private LetterFilter filter = new LetterFilter();

    @Option(
        names = "--by",
        paramLabel = "WHO",
        defaultValue = "${sys:user.name}",
        description = "Who wants it, for the history (default: the user, ${DEFAULT-VALUE}).")
    private String by = "";

    @Option(
        names = "--why",
        paramLabel = "TEXT",
        defaultValue = "",
        description = "Why, for the history.")
    private String why = "";

    @Option(names = "--dry-run", description = "Count those that would be sent, and send none.")
    private boolean dryRun;

    @Mixin private JsonOption output = new JsonOption();

    private record Result(long sent, long tooLarge, boolean dryRun) {}

    @Override
    protected void run() {
      CommandException.usageIf(
          !filter.given(), "say which dead letters: --reason, --at or --since");
      Settings settings = config.settings();
      Redrive.Sent done =
          Redrive.run(
              settings,
              config.model(settings).name(),
              filter::takes,
              new Redrive.Cause(by, filter.said(), why),
              dryRun);
      output.print(
          new Result(done.sent(), done.tooLarge(), dryRun),
          (console, sent) -> {
            console.line(
                "%d dead letters %s sent in again.", sent.sent(), dryRun ? "would be" : "were");
            if (sent.tooLarge() > 0) {
              console.note(
                  sent.tooLarge()
                      + " are references to messages that were too large: these are on their own"
                      + " topics alone");
            }
          });
    }
  }
}
