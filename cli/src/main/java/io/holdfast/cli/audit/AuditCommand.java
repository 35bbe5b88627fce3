package io.holdfast.cli.audit;

import io.holdfast.auditor.AuditPlan;
import io.holdfast.auditor.Auditor;
import io.holdfast.auditor.Finding;
import io.holdfast.auditor.Verdict;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Progress;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.StreamsNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "audit",
    description =
        "Proves or refutes, from the topics alone, that nothing was lost, doubled or wrong.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast audit --config holdfast.yml",
      "  holdfast audit --config holdfast.yml --model bikes --from 2026-03-01T00:00:00Z --html"
          + " audit.html",
      "",
      "Every record has one outcome; every score comes out again, bit for bit, from its record and",
      "version; versions and heads are whole; labels were used once, for their own records. Reads",
      "by the formats' description, with a decoder and a scorer of its own, and writes nothing on",
      "the broker. May run while records come. Exit code 1 if anything is wrong.",
    })
public final class AuditCommand extends BaseCommand {
  @Mixin private ConfigFile config = new ConfigFile();

  @Option(names = "--model", paramLabel = "MODEL", description = "That model alone.")
  private @Nullable String name;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Records of this time and later alone, such as 2026-03-01T00:00:00Z.")
  private @Nullable Instant from;

  @Option(names = "--to", paramLabel = "TIME", description = "Records before this time alone.")
  private @Nullable Instant to;

  @Option(names = "--html", paramLabel = "FILE", description = "Write the verdict as a page, too.")
  private @Nullable OutputFile page;

  @Mixin private JsonOption output = new JsonOption();

  private record Audited(List<Verdict> models) {}

  @Override
  protected void run() {
    Settings settings = config.settings();
    List<String> names = name == null ? List.copyOf(settings.models().keySet()) : List.of(name);
    List<Verdict> verdicts = new ArrayList<>();
    for (String model : names) {
      verdicts.add(audit(settings, settings.model(model)));
    }
    if (page != null) {
      page.writeText(AuditPage.of(verdicts));
    }
    output.print(new Audited(verdicts), AuditCommand::print);
    exitCode = verdicts.stream().allMatch(Verdict::clean) ? ExitCode.OK : ExitCode.FAILED;
  }

  private Verdict audit(Settings settings, ModelSettings model) {
    var span =
        new AuditPlan.Span(
            from == null ? null : from.toEpochMilli(), to == null ? null : to.toEpochMilli());
    AuditPlan plan = plan(settings, model, span);
    try (Progress progress = Progress.of("Reading topics of " + model.name(), 7)) {
      return Auditor.run(plan, topic -> progress.step());
    } catch (IllegalArgumentException e) {
      throw CommandException.failed("the audit of %s stopped: %s", model.name(), e.getMessage());
    } catch (ExecutionException | KafkaException e) {
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      throw CommandException.failed(
          "the audit of %s stopped: %s", model.name(), cause == null ? e : cause.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandException.failed("the audit of %s was interrupted", model.name());
    }
  }

  static AuditPlan plan(Settings settings, ModelSettings model, AuditPlan.Span span) {
    ModelSettings.ModelTopics topics = model.topics();
    AuditPlan.Labels labels =
        model.labels() instanceof Labels.InTopic joined
            ? new AuditPlan.Labels(
                false,
                model.label(),
                joined.correlation().record().toString(),
                joined.correlation().label().toString())
            : new AuditPlan.Labels(true, model.label(), "key", "key");
    return new AuditPlan(
        settings.kafka(),
        model.name(),
        new AuditPlan.Topics(
            topics.records(),
            topics.scores(),
            topics.labels(),
            topics.examples(),
            topics.deadLetters(),
            settings.topics().models(),
            settings.topics().schemas()),
        StreamsNames.score(settings, model),
        model.retainVersions(),
        labels,
        new HashSet<>(model.features().missing()),
        model.schemas().stream().map(AuditCommand::text).toList(),
        span);
  }

  private static String text(Path schema) {
    try {
      return Files.readString(schema);
    } catch (IOException e) {
      throw CommandException.failed("the schema %s cannot be read: %s", schema, e.getMessage());
    }
  }

  private static void print(Console console, Audited audited) {
    for (Verdict verdict : audited.models()) {
      console.line("%s: %s", verdict.model(), verdict.clean() ? "as promised" : "NOT as promised");
      for (Finding.Promise promise : Finding.Promise.values()) {
        long broken = broken(verdict, promise);
        console.line(
            "  %s  %s", broken == 0 ? "holds" : "broken " + broken + " times:", promise.text());
      }
      for (Map.Entry<String, Long> count : verdict.counts().entrySet()) {
        console.line("  %,d %s", count.getValue(), count.getKey());
      }
      verdict.unjudged().forEach(sentence -> console.line("  not judged: %s", sentence));
      for (Finding finding : verdict.findings()) {
        console.line("%s %s: %s", finding.kind(), finding.place(), finding.detail());
      }
    }
  }

  /** How often a promise was broken. */
  static long broken(Verdict verdict, Finding.Promise promise) {
    return verdict.broken().entrySet().stream()
        .filter(entry -> entry.getKey().promise() == promise)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
