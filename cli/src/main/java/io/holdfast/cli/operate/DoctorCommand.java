package io.holdfast.cli.operate;

import io.holdfast.cli.ledger.ModelFit;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.topic.AccessCheck;
import io.holdfast.schemas.topic.DeclaredSchema;
import io.holdfast.schemas.topic.FirstAnswer;
import io.holdfast.schemas.topic.Right;
import io.holdfast.schemas.topic.Rights;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.topic.TopicException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "doctor",
    description = "Checks what service and trainer need, and says what is wrong.",
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast doctor --config holdfast.yml",
      "",
      "The configuration, the broker, the rights on it, the topics and their settings, the schemas",
      "of the records and whether the versions that serve can read them, and what a service that",
      "runs where the configuration says finds wrong: a sentence for each, with what mends it.",
      "No record is written, and nothing that runs is disturbed.",
    })
public final class DoctorCommand extends BaseCommand {
  enum Program {
    SERVICE,
    TRAINER;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Duration LIMIT = Duration.ofSeconds(5);

  @Mixin private ConfigOptions config = new ConfigOptions();

  @Option(
      names = "--for",
      paramLabel = "PROGRAM",
      description =
          "Whose rights on the broker are tried: ${COMPLETION-CANDIDATES} (default: both), where"
              + " each has a login of its own.")
  private @Nullable Program program;

  @Mixin private JsonOption output = new JsonOption();

  @Override
  protected void run() {
    Settings settings = config.settings();
    List<String> problems = problems(settings);
    output.print(
        new Health(problems.isEmpty(), problems),
        (console, health) -> {
          if (health.healthy()) {
            console.line(
                "All is well: %d topics on %s, all rights are there, and the settings fit the"
                    + " records' schemas.",
                TopicCheck.expected(settings).stream()
                    .filter(TopicCheck.Expected::required)
                    .count(),
                settings.kafka().get("bootstrap.servers"));
          }
        });
    CommandException.failIfAny(problems);
  }

  private record Health(boolean healthy, List<String> problems) {}

  /** Of the first step that finds any: the next ones would find the same in other words. */
  private List<String> problems(Settings settings) {
    try {
      FirstAnswer.ask(settings.kafka());
    } catch (TopicException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
    List<String> problems = rights(settings);
    if (problems.isEmpty()) {
      problems = TopicCheck.problemsSeenWith(settings, LIMIT, rights(program, settings));
    }
    if (problems.isEmpty()) {
      problems = new ArrayList<>(schemaProblems(settings));
      problems.addAll(ServiceTroubles.of(settings));
    }
    return problems;
  }

  private List<String> rights(Settings settings) {
    Set<String> problems = new LinkedHashSet<>();
    if (program != Program.TRAINER) {
      problems.addAll(AccessCheck.problems(settings, "service", Rights.service(settings)));
    }
    if (program != Program.SERVICE) {
      problems.addAll(AccessCheck.problems(settings, "trainer", Rights.trainer(settings)));
    }
    return List.copyOf(problems);
  }

  /** What a program needs, or both. */
  static List<Right> rights(@Nullable Program program, Settings settings) {
    List<Right> rights = new ArrayList<>();
    if (program != Program.TRAINER) {
      rights.addAll(Rights.service(settings));
    }
    if (program != Program.SERVICE) {
      rights.addAll(Rights.trainer(settings));
    }
    return rights;
  }

  /** Whether settings and the versions that serve fit the schemas of files and the schema topic. */
  private static List<String> schemaProblems(Settings settings) {
    try (SchemaTopic schemas = new SchemaTopic(settings.kafka(), settings.topics().schemas())) {
      for (ModelSettings model : settings.models().values()) {
        DeclaredSchema.of(model).forEach(schemas::add);
      }
      return ModelFit.problems(settings, schemas);
    } catch (SettingsException e) {
      return e.problems();
    }
  }
}
