package io.holdfast.cli.audit;

import io.holdfast.auditor.AuditPlan;
import io.holdfast.auditor.Auditor;
import io.holdfast.auditor.Finding;
import io.holdfast.auditor.Proven;
import io.holdfast.auditor.Verdict;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Progress;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.settings.Framings;
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
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
      "  holdfast audit --config holdfast.yml --resume proven.json --follow 3600",
      "",
      "Every record has one outcome; every score comes out again, bit for bit, from its record and",
      "version; versions and heads are whole; labels were used once, for their own records. Reads",
      "by the formats' description, with a decoder and a scorer of its own, and writes nothing on",
      "the broker. May run while records come. Exit code 1 if anything is wrong.",
    })
public final class AuditCommand extends BaseCommand {
  private static final long PAUSE = TimeUnit.SECONDS.toNanos(5);

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

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description =
          "Begin where the audit before ended, which wrote this file, and write it anew unless"
              + " something is wrong.")
  private @Nullable Path proven;

  @Option(
      names = "--follow",
      paramLabel = "SECONDS",
      description = "Go on for so long with what comes; ends sooner if something is wrong.")
  private @Nullable Integer seconds;

  @Mixin private JsonOption output = new JsonOption();

  private record Audited(List<Verdict> models) {}

  @Override
  protected void run() {
    Settings settings = config.settings();
    List<String> names = name == null ? List.copyOf(settings.models().keySet()) : List.of(name);
    boolean part = from != null || to != null;
    if (part && (proven != null || seconds != null)) {
      throw CommandException.usage(
          "--resume and --follow judge all that comes: leave --from and --to away");
    }
    ProvenFile file = ProvenFile.read(proven);
    List<Verdict> verdicts = audit(settings, names, file);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Objects.requireNonNullElse(seconds, 0));
    while (System.nanoTime() < end && verdicts.stream().allMatch(Verdict::clean)) {
      output.console().note(String.join(", ", names) + ": as promised so far");
      LockSupport.parkNanos(Math.min(PAUSE, end - System.nanoTime()));
      verdicts = audit(settings, names, file);
    }
    if (page != null) {
      page.writeText(AuditPage.of(verdicts));
    }
    output.print(new Audited(verdicts), AuditCommand::print);
    exitCode = verdicts.stream().allMatch(Verdict::clean) ? ExitCode.OK : ExitCode.FAILED;
  }

  private List<Verdict> audit(Settings settings, List<String> names, ProvenFile file) {
    List<Verdict> verdicts = new ArrayList<>();
    for (String model : names) {
      Verdict verdict = audit(settings, settings.model(model), file.of(model));
      file.take(verdict.proven());
      verdicts.add(verdict);
    }
    return verdicts;
  }

  private Verdict audit(Settings settings, ModelSettings model, Proven earlier) {
    var span =
        new AuditPlan.Span(
            from == null ? null : from.toEpochMilli(), to == null ? null : to.toEpochMilli());
    AuditPlan plan = plan(settings, model, span).after(earlier);
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
                joined.correlation().label().toString(),
                joined.maxWait().plus(joined.maxSkew()).toMillis())
            : new AuditPlan.Labels(true, model.label(), "key", "key", 0);
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
            settings.topics().schemas(),
            written(topics.framings().records()),
            written(topics.framings().labels())),
        StreamsNames.score(settings, model),
        model.retainVersions(),
        labels,
        new HashSet<>(model.features().missing()),
        model.schemas().stream().map(AuditCommand::text).toList(),
        span,
        Proven.nothing(model.name()));
  }

  private static AuditPlan.Written written(Framings.Read read) {
    AuditPlan.Form form =
        switch (read.format()) {
          case PLAIN -> AuditPlan.Form.PLAIN;
          case JSON -> AuditPlan.Form.JSON;
          default -> AuditPlan.Form.FRAMED;
        };
    return new AuditPlan.Written(form, read.schema() == null ? null : text(read.schema()));
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
