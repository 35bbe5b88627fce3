package io.holdfast.cli.models;

import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.log.Broker;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.trainer.learn.ProgramVersion;
import io.holdfast.trainer.rebuild.Rebuild;
import io.holdfast.trainer.runtime.Forgetter;
import io.holdfast.trainer.runtime.KafkaClients;
import io.holdfast.trainer.runtime.Rebuilder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "forget",
    description = "Takes the rows of keys out of a model, as if they had never been there.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast models forget bikes --key rider-17 --why \"request 2031\"",
      "  holdfast models forget bikes --key 17 --key 18 --key-type long --dry-run",
      "",
      "Trains again from the last version that none of the rows has reached, by the examples that"
          + " are",
      "there now without them; the new versions come in the place of those that had them, which"
          + " leave",
      "the topic. Each is checked by training it once more. Writes a certificate, which also says"
          + " what",
      "other topics still hold of the keys. Exit code 1 if a version does not come out the same.",
    })
final class ModelsForgetCommand extends BaseCommand {
  private static final int HEX_SHOWN = 12;

  @Parameters(paramLabel = "MODEL", description = "The model.")
  private VersionName name;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      required = true,
      description = "A key of records, whose rows are to be forgotten; may be given again.")
  private List<String> keys = List.of();

  @Option(
      names = "--key-type",
      paramLabel = "TYPE",
      defaultValue = "text",
      description = "How keys are serialized: text, int, long, uuid or hex (default: text).")
  private KeyType type = KeyType.TEXT;

  @Option(
      names = "--afresh",
      description = "Begin with version 0 and what the log still holds, where it has lost rows.")
  private boolean afresh;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where the certificate goes (default: MODEL-forgotten-VERSION.json).")
  private @Nullable Path out;

  @Mixin private HeadOptions head = new HeadOptions();

  /**
   * What was done and what was checked. No key is in it.
   *
   * @param keys their SHA-256
   * @param checked whether each version came out of the log with the hash that it has
   * @param kept what topics still hold of the keys
   */
  @SuppressWarnings("UnusedVariable") // JSON has all of it
  private record Certificate(
      String model,
      Instant at,
      String by,
      String why,
      String program,
      boolean dryRun,
      List<Digest> keys,
      Forgetter.Forgotten forgotten,
      @Nullable HeadState head,
      boolean checked,
      List<Rebuild.Result> versions,
      List<KeptCopies.Copies> kept) {}

  @Override
  protected void run() {
    Settings settings = head.settings();
    ModelSettings model = settings.model(name.alone());
    Broker.require(
        settings.kafka(), List.of(settings.topics().models(), model.topics().examples()));
    SortedSet<Digest> hashes = new TreeSet<>(Comparator.comparing(Digest::hex));
    keys.forEach(key -> hashes.add(Digest.of(type.bytes(key))));
    var author = head.author();
    var request = new Forgetter.Request(hashes, afresh, author, head.dryRun());
    Forgetter.Forgotten forgotten;
    List<Rebuild.Result> rebuilt = List.of();
    try (var kafka = new KafkaClients(settings)) {
      try (var forgetter = new Forgetter(settings, model, kafka)) {
        forgotten = forgetter.forget(request);
      }
      if (!head.dryRun()) {
        rebuilt = rebuilt(model, kafka, forgotten.made());
      }
    } catch (LedgerException e) {
      throw CommandException.failed("%s", e.getMessage());
    }
    ModelHead after = forgotten.head();
    boolean same = rebuilt.stream().allMatch(Rebuild.Result::same);
    var certificate =
        new Certificate(
            model.name(),
            author.at(),
            author.by(),
            author.note(),
            ProgramVersion.VALUE,
            head.dryRun(),
            List.copyOf(hashes),
            forgotten,
            after == null ? null : HeadState.of(after),
            same && !head.dryRun(),
            rebuilt,
            new KeptCopies(settings, hashes).find(model));
    OutputFile file = head.dryRun() ? null : file(certificate);
    if (file != null) {
      file.writeText(Json.pretty(certificate) + "\n");
    }
    head.print(certificate, (console, said) -> print(console, said, file));
    exitCode = same ? ExitCode.OK : ExitCode.FAILED;
  }

  private OutputFile file(Certificate certificate) {
    var made = certificate.forgotten.made();
    long version =
        made.isEmpty()
            ? certificate.forgotten.tipBefore().version()
            : made.getLast().version().version();
    return OutputFile.of(
        out == null ? Path.of(certificate.model + "-forgotten-" + version + ".json") : out);
  }

  private static List<Rebuild.Result> rebuilt(
      ModelSettings model, KafkaClients kafka, List<Forgetter.Made> made) throws LedgerException {
    List<Rebuild.Result> results = new ArrayList<>();
    try (var rebuilder = new Rebuilder(model, kafka);
        Progress progress = Progress.of("Checking", made.size())) {
      for (Forgetter.Made one : made) {
        results.add(rebuilder.rebuild(one.version().version()));
        progress.step();
      }
    }
    return results;
  }

  private static void print(Console console, Certificate said, @Nullable OutputFile file) {
    Forgetter.Forgotten forgotten = said.forgotten;
    long rows = forgotten.found().stream().mapToLong(Forgetter.Found::rows).sum();
    if (rows == 0) {
      console.line("No example of %s is of such a key: there is nothing to forget.", said.model);
    } else {
      printVersions(console, said, rows);
    }
    if (!said.kept.isEmpty()) {
      Table table = new Table("topic", "messages", "until");
      said.kept.forEach(each -> table.line(each.topic(), each.messages(), each.until()));
      console.line("%nKafka still holds of these keys:");
      console.text(table.toString());
    }
    if (file != null) {
      console.line("%nThe certificate is in %s.", file);
    }
  }

  private static void printVersions(Console console, Certificate said, long rows) {
    Forgetter.Forgotten forgotten = said.forgotten;
    var origin = forgotten.origin();
    console.line(
        "%s %d rows of %d keys: trained again from version %d.",
        said.dryRun ? "Would forget, and did not," : "Forgot",
        rows,
        said.keys.size(),
        origin == null ? 0 : origin.version());
    Table table = new Table("version", "hash", "without the rows", "hash then");
    for (Forgetter.Made made : forgotten.made()) {
      table.line(
          made.version().version(),
          shortened(made.version().hash()),
          made.without().version(),
          shortened(made.without().hash()));
    }
    console.text(table.toString());
    console.line(
        "%d versions %s the topic, with %d records in all.",
        forgotten.retired().size(),
        said.dryRun ? "would leave" : "left",
        forgotten.tombstones().size());
    ModelHead head = forgotten.head();
    if (head != null && !said.dryRun) {
      console.line("%s", HeadOptions.said(head));
    }
    said.versions.stream()
        .filter(result -> !result.same())
        .forEach(
            result -> {
              console.line("%nVersion %d did not come out the same:", result.version());
              result.differences().forEach(sentence -> console.line("  %s", sentence));
            });
    if (said.checked) {
      console.line("Checked: each came out of the log with the hash that it has.");
    }
  }

  private static String shortened(Digest digest) {
    return digest.hex().substring(0, HEX_SHOWN);
  }
}
