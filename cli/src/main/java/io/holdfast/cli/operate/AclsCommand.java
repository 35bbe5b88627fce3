package io.holdfast.cli.operate;

import io.holdfast.cli.operate.DoctorCommand.Program;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.ConfigOptions;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.Right;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "acls",
    description = "Prints the rights on the broker that a configuration needs, and no others.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast acls --config holdfast.yml --for service --principal User:scorer | sh",
      "  holdfast acls --config holdfast.yml --json",
      "",
      "Lines are commands of kafka-acls.sh, which must be on the PATH, for who may give rights;",
      "KAFKA_ACLS_OPTIONS adds to each, such as --command-config admin.properties. Then",
      "holdfast doctor tries every one of them.",
    })
public final class AclsCommand extends BaseCommand {
  @Mixin private ConfigOptions config = new ConfigOptions();

  @Option(
      names = "--for",
      paramLabel = "PROGRAM",
      description = "Whose: ${COMPLETION-CANDIDATES} (default: both).")
  private @Nullable Program program;

  @Option(
      names = "--principal",
      paramLabel = "PRINCIPAL",
      defaultValue = "User:holdfast",
      description = "Who is given them (default: ${DEFAULT-VALUE}).")
  private String principal = "";

  @Mixin private JsonOption output = new JsonOption();

  /** What one principal may do with a topic, a group, or transactional ids. */
  private record Acl(
      String principal, String resource, String name, String pattern, List<String> operations) {
    private String command(String brokers) {
      StringBuilder line = new StringBuilder("kafka-acls.sh --bootstrap-server ").append(brokers);
      line.append(" $KAFKA_ACLS_OPTIONS --add --allow-principal ").append(quoted(principal));
      operations.forEach(operation -> line.append(" --operation ").append(operation));
      line.append(" --").append(resource).append(' ').append(quoted(name));
      return line.append(" --resource-pattern-type ").append(pattern).toString();
    }

    private static String quoted(String text) {
      return "'" + text.replace("'", "'\\''") + "'";
    }
  }

  private record Resource(ResourceType type, String name, boolean prefix) {}

  @Override
  protected void run() {
    Settings settings = config.settings();
    Map<Resource, List<AclOperation>> byResource = new LinkedHashMap<>();
    for (Right right : DoctorCommand.rights(program, settings)) {
      var resource = new Resource(right.type(), right.name(), right.prefix());
      List<AclOperation> operations = byResource.computeIfAbsent(resource, _ -> new ArrayList<>());
      if (!operations.contains(right.operation())) {
        operations.add(right.operation());
      }
    }
    List<Acl> acls = new ArrayList<>();
    byResource.forEach((resource, operations) -> acls.add(acl(resource, operations)));
    String brokers = String.valueOf(settings.kafka().get("bootstrap.servers"));
    output.print(
        acls, (console, all) -> all.forEach(acl -> console.line("%s", acl.command(brokers))));
  }

  private Acl acl(Resource resource, List<AclOperation> operations) {
    return new Acl(
        principal,
        label(resource.type()),
        resource.name(),
        resource.prefix() ? "prefixed" : "literal",
        operations.stream().map(AclsCommand::label).toList());
  }

  private static String label(Enum<?> kafkas) {
    String words = kafkas.name().toLowerCase(Locale.ROOT);
    return kafkas instanceof AclOperation ? capitals(words) : words.replace('_', '-');
  }

  /** As the tool spells them: DescribeConfigs. */
  private static String capitals(String words) {
    StringBuilder spelled = new StringBuilder();
    for (String word : words.split("_", -1)) {
      spelled.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    return spelled.toString();
  }
}
