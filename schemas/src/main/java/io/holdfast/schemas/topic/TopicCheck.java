package io.holdfast.schemas.topic;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.shape.CreatedTopics;
import io.holdfast.schemas.topic.shape.TopicKind;
import io.holdfast.schemas.topic.shape.TopicShapes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The topics that a configuration needs, their creation and their check. Stateless. */
public final class TopicCheck {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration CREATE_LIMIT = Duration.ofSeconds(30);

  /** The largest manifest with its frame, key and batch; a broker's default. */
  private static final int RECORD_BYTES = (1 << 20) + 12;

  private static final Config NO_CONFIG = new Config(List.of());

  private TopicCheck() {}

  /**
   * A topic as it should be; partitions 0 means as many as the broker gives.
   *
   * @param required whether nothing starts without it
   * @param bytes how large its messages may get; 0 if they are small or not ours
   */
  public record Expected(
      String name, int partitions, boolean compacted, boolean required, int bytes) {
    Expected(String name, int partitions, boolean compacted, boolean required) {
      this(name, partitions, compacted, required, compacted ? RECORD_BYTES : 0);
    }
  }

  /** All topics that the settings name, those of a model after those that all share. */
  public static List<Expected> expected(Settings settings) {
    Map<String, Expected> topics = new LinkedHashMap<>();
    String models = settings.topics().models();
    topics.put(models, new Expected(models, 1, true, true));
    String schemas = settings.topics().schemas();
    topics.putIfAbsent(schemas, new Expected(schemas, 1, true, true));
    String reports = settings.topics().reports();
    topics.putIfAbsent(reports, new Expected(reports, 1, false, true));
    for (ModelSettings model : settings.models().values()) {
      List<String> names = new ArrayList<>(partitionedAlike(model));
      names.addAll(joined(model));
      names.add(model.topics().deadLetters());
      for (String name : names) {
        boolean required = !name.equals(model.topics().shadowScores());
        topics.putIfAbsent(name, new Expected(name, 0, false, required, bytes(model, name)));
      }
    }
    return List.copyOf(topics.values());
  }

  /** Into these whole records and labels are written. */
  private static int bytes(ModelSettings model, String topic) {
    var topics = model.topics();
    return List.of(topics.examples(), topics.join(), topics.deadLetters()).contains(topic)
        ? topics.maxMessageBytes()
        : 0;
  }

  /** Topics whose partitions belong together, the records' topic first. */
  private static List<String> partitionedAlike(ModelSettings model) {
    var topics = model.topics();
    return List.of(topics.records(), topics.scores(), topics.examples(), topics.shadowScores());
  }

  /** Topics of the label join, which may have any number of partitions. */
  private static List<String> joined(ModelSettings model) {
    return model.labels() instanceof Labels.InTopic
        ? List.of(model.topics().labels(), model.topics().join())
        : List.of();
  }

  /**
   * What was made, or would be.
   *
   * @param partitions 0 if as many as the broker gives
   */
  public record Made(String topic, TopicKind kind, int partitions, TopicShapes.Shape shape) {}

  /** The number of brokers, and the topics that were missing. */
  public record Creation(int brokers, List<Made> topics) {
    public List<String> names() {
      return topics.stream().map(Made::topic).toList();
    }
  }

  /** As below, with nothing said but partitions; returns the names. */
  public static List<String> create(Settings settings, int partitions) {
    return create(settings, TopicShapes.of(partitions), false).names();
  }

  /**
   * Creates what is missing and leaves what is there; returns once it can be used. A model's topics
   * get as many partitions as its records' topic has.
   *
   * @param dryRun whether the broker only says whether it would
   * @throws TopicException in one sentence if the broker cannot be reached or refuses
   */
  public static Creation create(Settings settings, TopicShapes shapes, boolean dryRun) {
    List<Expected> expected = expected(settings);
    try (Admin admin = Admin.create(ClientSettings.admin(settings.kafka(), CREATE_LIMIT))) {
      int brokers = admin.describeCluster().nodes().get().size();
      Map<String, TopicDescription> present = describe(admin, names(expected));
      List<Made> made = new ArrayList<>();
      for (Expected topic : expected) {
        if (!present.containsKey(topic.name())) {
          int records =
              recordsOf(settings, topic.name())
                  .map(present::get)
                  .map(description -> description.partitions().size())
                  .orElse(shapes.partitions());
          TopicKind kind = TopicKind.of(settings, topic.name());
          int count = topic.partitions() > 0 ? topic.partitions() : records;
          Made wanted = new Made(topic.name(), kind, count, shapes.of(kind, brokers));
          possible(wanted, brokers);
          if (create(admin, topic, wanted, dryRun)) {
            made.add(wanted);
          }
        }
      }
      Creation creation = new Creation(brokers, made);
      if (!dryRun) {
        CreatedTopics.awaitLeaders(admin, creation.names(), CREATE_LIMIT);
      }
      return creation;
    } catch (ExecutionException | KafkaException | InterruptedException e) {
      String problem = ClientSettings.failure(settings.kafka(), e).getMessage();
      throw new TopicException("the topics cannot be created: " + problem, e);
    }
  }

  private static void possible(Made topic, int brokers) {
    TopicShapes.Shape shape = topic.shape();
    if (shape.replicas() > brokers || shape.inStep() > shape.replicas()) {
      throw new TopicException(
          Sentence.of(
              "topic %s cannot have %d replicas of which %d are in sync: the cluster has %d"
                  + " broker%s",
              topic.topic(), shape.replicas(), shape.inStep(), brokers, brokers == 1 ? "" : "s"));
    }
  }

  private static boolean create(Admin admin, Expected topic, Made made, boolean dryRun)
      throws ExecutionException, InterruptedException {
    Optional<Integer> count =
        made.partitions() > 0 ? Optional.of(made.partitions()) : Optional.empty();
    short replicas = (short) made.shape().replicas();
    NewTopic wanted = new NewTopic(topic.name(), count, Optional.of(replicas));
    Map<String, String> configs = new HashMap<>();
    if (topic.compacted()) {
      configs.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
    }
    if (topic.bytes() > RECORD_BYTES) {
      configs.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(topic.bytes()));
    }
    configs.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(made.shape().inStep()));
    made.shape()
        .retention()
        .ifPresent(
            kept -> configs.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(kept.toMillis())));
    wanted.configs(configs);
    try {
      admin
          .createTopics(List.of(wanted), new CreateTopicsOptions().validateOnly(dryRun))
          .all()
          .get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException) {
        return false; // Someone else was faster; what is there is checked like any other.
      }
      throw e;
    }
  }

  /** The records' topic that a topic of a model is made like. */
  private static Optional<String> recordsOf(Settings settings, String topic) {
    return settings.models().values().stream()
        .filter(model -> partitionedAlike(model).contains(topic) || joined(model).contains(topic))
        .map(model -> model.topics().records())
        .filter(records -> !records.equals(topic))
        .findFirst();
  }

  /** As {@link #problems(Settings, Duration)}, of the topics that all models share. */
  public static List<String> sharedProblems(Settings settings, Duration limit) {
    Settings alone = settings.with(Map.of());
    return problems(alone, limit, expected(alone));
  }

  /**
   * What keeps a trainer from training any model, likewise; empty if it can train one. A model
   * whose own topics are not as they must be does not keep others from it.
   */
  public static List<String> trainingProblems(Settings settings, Duration limit) {
    List<String> all = problemsSeenWith(settings, limit, Rights.trainer(settings));
    if (all.isEmpty() || !sharedProblems(settings, limit).isEmpty()) {
      return all;
    }
    boolean trains =
        settings.models().values().stream()
            .map(model -> only(settings, model))
            .anyMatch(one -> problemsSeenWith(one, limit, Rights.trainer(one)).isEmpty());
    return trains ? List.of() : all;
  }

  private static Settings only(Settings settings, ModelSettings model) {
    return settings.with(Map.of(model.name(), model));
  }

  /** The topics that a model's records cannot be scored without, the records' first. */
  public static List<String> scoringTopics(ModelSettings model) {
    var topics = model.topics();
    boolean inRecord = model.labels() instanceof Labels.InRecord;
    String next = inRecord ? topics.examples() : topics.join();
    return List.of(topics.records(), topics.scores(), next, topics.deadLetters());
  }

  /** The topics that a model's labels cannot be joined without, the records' first. */
  public static List<String> joinTopics(ModelSettings model) {
    var topics = model.topics();
    return List.of(
        topics.records(), topics.labels(), topics.join(), topics.examples(), topics.deadLetters());
  }

  /**
   * What is wrong with some topics of one model, likewise: those that are missing, and those that
   * must have as many partitions as the first and have not.
   *
   * @param needed names, the records' topic first
   * @param partitions of the topics that are there
   */
  public static List<String> problems(
      Settings settings,
      ModelSettings model,
      List<String> needed,
      Map<String, Integer> partitions) {
    List<String> problems = new ArrayList<>();
    lacking(settings, needed, partitions.keySet(), problems);
    List<String> alike = partitionedAlike(model);
    unequal(needed.stream().filter(alike::contains).toList(), partitions, problems);
    return problems;
  }

  /** What keeps a model from having a shadow, likewise: the topic of a shadow's scores. */
  public static List<String> shadowProblems(Settings settings, ModelSettings model) {
    return problems(
        only(settings, model),
        LIMIT,
        List.of(
            new Expected(model.topics().records(), 0, false, true),
            new Expected(model.topics().shadowScores(), 0, false, true)));
  }

  /**
   * What is wrong, a sentence each with its remedy; empty if all is well. The topic of a shadow's
   * scores may be missing until there is a shadow.
   */
  public static List<String> problems(Settings settings) {
    return problems(settings, LIMIT);
  }

  /** The same, with how long the broker may take to answer. */
  public static List<String> problems(Settings settings, Duration limit) {
    return problems(settings, limit, expected(settings));
  }

  /** The same for somebody with those rights, who need not see the topics of others. */
  public static List<String> problemsSeenWith(
      Settings settings, Duration limit, List<Right> rights) {
    Set<String> own = rights.stream().map(Right::name).collect(Collectors.toSet());
    return problems(settings, limit, expected(settings), own::contains);
  }

  private static List<String> problems(Settings settings, Duration limit, List<Expected> expected) {
    return problems(settings, limit, expected, _ -> true);
  }

  private static List<String> problems(
      Settings settings, Duration limit, List<Expected> expected, Predicate<String> own) {
    List<String> problems = new ArrayList<>();
    try (Admin admin = Admin.create(ClientSettings.admin(settings.kafka(), limit))) {
      Set<String> hidden = new HashSet<>();
      Map<String, TopicDescription> present = describe(admin, names(expected), hidden);
      for (String name : hidden) {
        if (own.test(name)) {
          throw new TopicAuthorizationException(Set.of(name));
        }
      }
      List<Expected> required =
          expected.stream()
              .filter(topic -> topic.required() && !hidden.contains(topic.name()))
              .toList();
      lacking(settings, names(required), present.keySet(), problems);
      shapes(settings, expected, present, problems);
      configs(settings, admin, expected, present, problems);
    } catch (ExecutionException | KafkaException e) {
      problems.add(ClientSettings.explain(settings.kafka(), e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      problems.add("the check of the topics was interrupted; run it again");
    }
    return problems;
  }

  private static void lacking(
      Settings settings, List<String> needed, Set<String> present, List<String> problems) {
    List<String> missing = needed.stream().filter(name -> !present.contains(name)).toList();
    if (!missing.isEmpty()) {
      problems.add(
          Sentence.of(
              "the broker at %s lacks the topic%s %s: create %s with 'holdfast topics create'",
              ClientSettings.brokers(settings.kafka()),
              missing.size() == 1 ? "" : "s",
              String.join(", ", missing),
              missing.size() == 1 ? "it" : "them"));
    }
  }

  private static void shapes(
      Settings settings,
      List<Expected> expected,
      Map<String, TopicDescription> present,
      List<String> problems) {
    for (Expected topic : expected) {
      TopicDescription description = present.get(topic.name());
      if (description != null
          && topic.partitions() > 0
          && description.partitions().size() != topic.partitions()) {
        problems.add(
            Sentence.of(
                "topic %s must have %d partition: it has %d, so create it anew or name another"
                    + " topic",
                topic.name(), topic.partitions(), description.partitions().size()));
      }
    }
    Map<String, Integer> partitions = new HashMap<>();
    present.forEach((name, topic) -> partitions.put(name, topic.partitions().size()));
    for (ModelSettings model : settings.models().values()) {
      unequal(partitionedAlike(model), partitions, problems);
    }
  }

  /** Those that are not partitioned as the first is. */
  private static void unequal(
      List<String> alike, Map<String, Integer> partitions, List<String> problems) {
    String records = alike.getFirst();
    Integer count = partitions.get(records);
    for (String name : alike) {
      Integer other = partitions.get(name);
      if (count != null && other != null && !other.equals(count)) {
        problems.add(
            Sentence.of(
                "topic %s must have as many partitions as %s, which has %d: it has %d",
                name, records, count, other));
      }
    }
  }

  private static void configs(
      Settings settings,
      Admin admin,
      List<Expected> expected,
      Map<String, TopicDescription> present,
      List<String> problems)
      throws ExecutionException, InterruptedException {
    Map<ConfigResource, Expected> asked = new LinkedHashMap<>();
    for (Expected topic : expected) {
      if ((topic.compacted() || topic.bytes() > 0) && present.containsKey(topic.name())) {
        asked.put(new ConfigResource(ConfigResource.Type.TOPIC, topic.name()), topic);
      }
    }
    Map<ConfigResource, Config> configs = admin.describeConfigs(asked.keySet()).all().get();
    asked.forEach(
        (resource, topic) ->
            config(settings, topic, configs.getOrDefault(resource, NO_CONFIG), problems));
  }

  private static void config(
      Settings settings, Expected topic, Config config, List<String> problems) {
    String policy = value(config, TopicConfig.CLEANUP_POLICY_CONFIG);
    if (topic.compacted() && !TopicConfig.CLEANUP_POLICY_COMPACT.equals(policy)) {
      problems.add(
          Sentence.of(
              "topic %s must be compacted, or it forgets what is still needed: its"
                  + " cleanup.policy is %s, and this mends it: %s",
              topic.name(), policy, alter(settings, topic, "cleanup.policy=compact")));
    }
    String largest = value(config, TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
    if (largest.matches("\\d{1,10}") && Long.parseLong(largest) < topic.bytes()) {
      problems.add(
          Sentence.of(
              "topic %s must take records of %d bytes: its max.message.bytes is %s, and this"
                  + " mends it: %s",
              topic.name(),
              topic.bytes(),
              largest,
              alter(settings, topic, "max.message.bytes=" + topic.bytes())));
    }
  }

  private static String value(Config config, String key) {
    ConfigEntry entry = config.get(key);
    return entry == null || entry.value() == null ? "not known" : entry.value();
  }

  /** The command that sets a topic's setting. */
  private static String alter(Settings settings, Expected topic, String setting) {
    return Sentence.of(
        "kafka-configs.sh --bootstrap-server %s --alter --entity-type topics --entity-name %s"
            + " --add-config %s",
        ClientSettings.brokers(settings.kafka()), topic.name(), setting);
  }

  private static List<String> names(List<Expected> expected) {
    return expected.stream().map(Expected::name).toList();
  }

  /** Those of the topics that there are. */
  static Map<String, TopicDescription> describe(Admin admin, Collection<String> names)
      throws ExecutionException, InterruptedException {
    Set<String> hidden = new HashSet<>();
    Map<String, TopicDescription> present = describe(admin, names, hidden);
    if (!hidden.isEmpty()) {
      throw new ExecutionException(new TopicAuthorizationException(hidden));
    }
    return present;
  }

  private static Map<String, TopicDescription> describe(
      Admin admin, Collection<String> names, Set<String> hidden)
      throws ExecutionException, InterruptedException {
    Map<String, TopicDescription> present = new LinkedHashMap<>();
    for (var topic : admin.describeTopics(names).topicNameValues().entrySet()) {
      try {
        present.put(topic.getKey(), topic.getValue().get());
      } catch (ExecutionException e) {
        if (e.getCause() instanceof TopicAuthorizationException) {
          hidden.add(topic.getKey());
        } else if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
    }
    return present;
  }
}
