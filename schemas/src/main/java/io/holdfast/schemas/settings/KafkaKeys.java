package io.holdfast.schemas.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.Suggestion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The keys below {@code kafka}: which there are, and which client each is for. A key is for every
 * client that knows it, or with a prefix such as {@code consumer.} for one kind alone, as Kafka
 * Streams has it. Stateless.
 */
public final class KafkaKeys {
  private static final String NAMES = "kafka-keys.txt";

  /** Prefixes, and the section of names that may follow each. */
  private static final Map<String, String> PREFIXES =
      Map.of(
          "main.consumer.", "consumer",
          "restore.consumer.", "consumer",
          "global.consumer.", "consumer",
          "consumer.", "consumer",
          "producer.", "producer",
          "admin.", "admin",
          "topic.", "topic");

  /** Of Kafka Streams, with a name of the user's own behind it. */
  private static final String TAG_PREFIX = "client.tag.";

  /** What a setting of Holdfast's own says, or what it cannot be but one thing. */
  private static final Map<String, String> OURS =
      Map.ofEntries(
          Map.entry("application.id", "set holdfast.service.applicationId instead"),
          Map.entry("state.dir", "set holdfast.service.stateDirectory instead"),
          Map.entry(
              "group.id", "set holdfast.service.applicationId or holdfast.trainer.group instead"),
          Map.entry("transactional.id", "it is one a model, so that one trainer alone can publish"),
          Map.entry("processing.guarantee", "it is exactly_once_v2 always"),
          Map.entry("isolation.level", "it is read_committed always"),
          Map.entry("enable.auto.commit", "offsets are committed with what came of them"),
          Map.entry("key.serializer", "it is Holdfast's own"),
          Map.entry("value.serializer", "it is Holdfast's own"),
          Map.entry("key.deserializer", "it is Holdfast's own"),
          Map.entry("value.deserializer", "it is Holdfast's own"));

  private static final Map<String, Set<String>> BY_CLIENT = read();

  private KafkaKeys() {}

  /** What a consumer of ours is given: what is for every client, then what is for consumers. */
  public static Map<String, String> consumer(Map<String, String> kafka) {
    return of(kafka, "consumer.");
  }

  /** What a producer of ours is given. */
  public static Map<String, String> producer(Map<String, String> kafka) {
    return of(kafka, "producer.");
  }

  /** What an admin client of ours is given. */
  public static Map<String, String> admin(Map<String, String> kafka) {
    return of(kafka, "admin.");
  }

  private static Map<String, String> of(Map<String, String> kafka, String own) {
    Map<String, String> settings = new LinkedHashMap<>();
    kafka.forEach(
        (key, value) -> {
          if (prefix(key).isEmpty() && !key.startsWith(TAG_PREFIX)) {
            settings.put(key, value);
          }
        });
    kafka.forEach(
        (key, value) -> {
          if (key.startsWith(own)) {
            settings.put(key.substring(own.length()), value);
          }
        });
    return settings;
  }

  /** The names of one client's settings: consumer, producer, admin, streams or topic. */
  public static Set<String> names(String client) {
    return BY_CLIENT.getOrDefault(client, Set.of());
  }

  /** What is wrong with a key, in a sentence; empty if nothing is. */
  static Optional<String> problem(String name, String key) {
    if (key.startsWith(TAG_PREFIX)) {
      return Optional.empty();
    }
    String prefix = prefix(key).orElse("");
    String bare = key.substring(prefix.length());
    String ours = OURS.get(bare);
    if (ours != null) {
      return Optional.of(Sentence.of("%s is set by Holdfast: %s", name, ours));
    }
    Set<String> known = prefix.isEmpty() ? clientNames() : names(PREFIXES.getOrDefault(prefix, ""));
    if (known.contains(bare)) {
      return Optional.empty();
    }
    List<String> candidates = known.stream().map(prefix::concat).toList();
    return Optional.of(
        Sentence.of(
            "%s is no setting of Kafka's %s%s",
            name,
            prefix.isEmpty() ? "clients" : what(prefix),
            Suggestion.closest(key, candidates)
                .map(close -> "; did you mean kafka." + close + "?")
                .orElse("")));
  }

  private static String what(String prefix) {
    return switch (PREFIXES.getOrDefault(prefix, "")) {
      case "producer" -> "producers";
      case "admin" -> "admin clients";
      case "topic" -> "topics";
      default -> "consumers";
    };
  }

  /** What stands without a prefix; what a topic is made with never does. */
  private static Set<String> clientNames() {
    return BY_CLIENT.entrySet().stream()
        .filter(client -> !client.getKey().equals("topic"))
        .flatMap(client -> client.getValue().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Optional<String> prefix(String key) {
    return PREFIXES.keySet().stream().filter(key::startsWith).findFirst();
  }

  private static Map<String, Set<String>> read() {
    Map<String, Set<String>> names = new LinkedHashMap<>();
    try (InputStream in = KafkaKeys.class.getResourceAsStream(NAMES)) {
      if (in == null) {
        throw new IllegalStateException(NAMES + " is not on the class path");
      }
      Set<String> section = new TreeSet<>();
      for (String line : new BufferedReader(new InputStreamReader(in, UTF_8)).lines().toList()) {
        if (line.startsWith("[")) {
          section = new TreeSet<>();
          names.put(line.substring(1, line.length() - 1), section);
        } else if (!line.startsWith("#")) {
          section.add(line);
        }
      }
      return names;
    } catch (IOException e) {
      throw new UncheckedIOException(NAMES + " cannot be read", e);
    }
  }
}
