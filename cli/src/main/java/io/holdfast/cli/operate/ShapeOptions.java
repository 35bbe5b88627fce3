package io.holdfast.cli.operate;

import io.holdfast.cli.options.CommandException;
import io.holdfast.schemas.settings.keys.Kind;
import io.holdfast.schemas.topic.shape.TopicKind;
import io.holdfast.schemas.topic.shape.TopicShapes;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How topics are made: a value for all kinds of topics, or one a kind. */
final class ShapeOptions {
  private static final String KINDS =
      Arrays.stream(TopicKind.values()).map(TopicKind::toString).collect(Collectors.joining(", "));

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Partitions of records, scores, labels and examples; 0 is the broker's default"
              + " (default: ${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--replication",
      split = ",",
      paramLabel = "[KIND=]N",
      description = "Replicas, of all topics or of a kind (default: 3, or as many as brokers).")
  private List<String> replicas = List.of();

  @Option(
      names = "--min-insync",
      split = ",",
      paramLabel = "[KIND=]N",
      description =
          "Replicas that must have a record before it counts as written (default: one less than"
              + " there are, from 1 to 2).")
  private List<String> inStep = List.of();

  @Option(
      names = "--retention",
      split = ",",
      paramLabel = "[KIND=]TIME",
      description =
          "How long records are kept, such as 90d (default: reports 365d, deadLetters 30d, others"
              + " as the broker has it); compacted topics keep what is newest of each key.")
  private List<String> retention = List.of();

  TopicShapes shapes() {
    CommandException.usageIf(partitions < 0, "--partitions must be 0 or more: %d", partitions);
    Function<String, @Nullable Integer> count =
        text -> text.matches("[1-9]\\d?") ? Integer.valueOf(text) : null;
    String counts = "a whole number from 1 to 99";
    Map<TopicKind, Duration> kept =
        byKind("--retention", retention, Kind.Length.ABOVE_0::parse, "a time such as 12h or 90d");
    kept.keySet().removeIf(TopicKind::compacted);
    return new TopicShapes(
        partitions,
        byKind("--replication", replicas, count, counts),
        byKind("--min-insync", inStep, count, counts),
        kept);
  }

  private static <T> Map<TopicKind, T> byKind(
      String option, List<String> said, Function<String, @Nullable T> parse, String right) {
    Map<TopicKind, T> all = new EnumMap<>(TopicKind.class);
    Map<TopicKind, T> named = new EnumMap<>(TopicKind.class);
    for (String one : said) {
      int sign = one.indexOf('=');
      T value = parse.apply(one.substring(sign + 1).strip());
      if (value == null) {
        throw CommandException.usage("%s must be %s: %s", option, right, one);
      }
      if (sign < 0) {
        Arrays.stream(TopicKind.values()).forEach(kind -> all.put(kind, value));
      } else {
        String key = one.substring(0, sign).strip();
        named.put(
            TopicKind.named(key)
                .orElseThrow(
                    () -> CommandException.usage("%s: %s is none of %s", option, key, KINDS)),
            value);
      }
    }
    all.putAll(named);
    return all;
  }
}
