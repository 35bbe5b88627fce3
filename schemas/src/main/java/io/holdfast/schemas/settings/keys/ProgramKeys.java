package io.holdfast.schemas.settings.keys;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The settings of the two programs and of the topics that all models share. */
public final class ProgramKeys {
  private static final String LAG_TROUBLE =
      "before that is the trouble [`lagging`](operations.md#metrics)";

  // The most that a broker takes by default; its least, 6 s by default, differs and is its own.
  private static final Kind.Length SESSION =
      new Kind.Length(Duration.ofSeconds(1), Duration.ofMinutes(30), "from 1s to 30m");
  private static final Kind.Length REQUEST =
      new Kind.Length(Duration.ofMillis(1), Duration.ofHours(1), "above 0, up to 1h");

  public static final Key<String> HOST =
      Key.text("service.host", "The address that REST and dashboard listen on")
          .usual("127.0.0.1")
          .more("`0.0.0.0` for all");
  public static final Key<Integer> PORT =
      Key.whole("service.port", 8080, 0, 65_535, "The port; 0 takes any free one");
  public static final Key<String> APPLICATION_ID =
      Key.of(
              "service.applicationId",
              new Kind.KafkaName(),
              "Prefix of the Kafka Streams application ids, the same for all instances")
          .usual("holdfast")
          .more("They are `<applicationId>-<model>-score` and `-join`");
  public static final Key<String> INSTANCE_ID =
      Key.of(
              "service.instanceId",
              new Kind.KafkaName(),
              "Static membership: differs between instances, stays when one restarts")
          .usually("machine and state directory");
  public static final Key<String> STATE_DIRECTORY =
      Key.text(
              "service.stateDirectory",
              "The folder of the label join's local store, one a instance")
          .usual("holdfast-data/state")
          .more("It is rebuilt from Kafka when lost");
  public static final Key<Boolean> HEAD_ACTIONS =
      Key.truth("service.headActions", false, "Whether REST may change which version serves")
          .more(
              "[Roll back, pin, shadow, promote](operations.md#roll-back-pin-shadow): the port asks"
                  + " nobody who they are");
  public static final Key<Duration> REQUEST_TIMEOUT =
      Key.of("service.requestTimeout", REQUEST, "How long an HTTP request may take to arrive whole")
          .usual(Duration.ofSeconds(30));
  public static final Key<Duration> MAX_LAG =
      Key.of(
              "service.maxLag",
              Kind.Length.ABOVE_0,
              "How long a record may wait to be scored or joined")
          .usual(Duration.ofMinutes(1))
          .more(LAG_TROUBLE);

  public static final Key<String> TRAINER_HOST =
      Key.text("trainer.host", "The address of health and metrics").usual("127.0.0.1");
  public static final Key<Integer> TRAINER_PORT =
      Key.whole("trainer.port", 8081, 0, 65_535, "The port; 0 takes any free one");
  public static final Key<String> TRAINER_GROUP =
      Key.of(
              "trainer.group",
              new Kind.KafkaName(),
              "The consumer group in which trainers share the models")
          .usual("holdfast-trainers")
          .more("[How](operations.md#sharing-models-between-trainers)");
  public static final Key<Duration> SESSION_TIMEOUT =
      Key.of(
              "trainer.sessionTimeout",
              SESSION,
              "How long nothing may be heard of a trainer before others take its models")
          .usual(Duration.ofSeconds(10))
          .more("From 1s to 30m, and what the broker takes (6 s at least by default)");
  public static final Key<String> TRAINER_INSTANCE_ID =
      Key.of(
              "trainer.instanceId",
              new Kind.KafkaName(),
              "Static membership: a trainer back within the session time-out keeps its models")
          .usually("none")
          .more("Must differ between trainers");
  public static final Key<Duration> TRAINER_REQUEST_TIMEOUT =
      Key.of("trainer.requestTimeout", REQUEST, "How long an HTTP request may take to arrive whole")
          .usual(REQUEST_TIMEOUT.byDefault());
  public static final Key<Duration> TRAINER_MAX_LAG =
      Key.of(
              "trainer.maxLag",
              Kind.Length.ABOVE_0,
              "How long a window of examples may wait to be learned from")
          .usual(MAX_LAG.byDefault())
          .more(LAG_TROUBLE);

  public static final Key<String> MODELS =
      Key.of("topics.models", new Kind.KafkaName(), "The model ledger: compacted, one partition")
          .usual("holdfast.models");
  public static final Key<String> REPORTS =
      Key.of("topics.reports", new Kind.KafkaName(), "A report a window").usual("holdfast.reports");
  public static final Key<String> SCHEMAS =
      Key.of("topics.schemas", new Kind.KafkaName(), "Writer schemas: compacted, one partition")
          .usual("holdfast.schemas")
          .more("Key `<record topic>/<fingerprint in hex>`, value the schema's JSON");

  /** All, by group, in the order of the documentation; paths are below {@code holdfast}. */
  public static final List<Key<?>> ALL =
      Stream.concat(
              Stream.of(
                  HOST,
                  PORT,
                  APPLICATION_ID,
                  INSTANCE_ID,
                  STATE_DIRECTORY,
                  HEAD_ACTIONS,
                  REQUEST_TIMEOUT,
                  MAX_LAG,
                  TRAINER_HOST,
                  TRAINER_PORT,
                  TRAINER_GROUP,
                  SESSION_TIMEOUT,
                  TRAINER_INSTANCE_ID,
                  TRAINER_REQUEST_TIMEOUT,
                  TRAINER_MAX_LAG,
                  MODELS,
                  REPORTS,
                  SCHEMAS),
              WireKeys.REGISTRY.stream())
          .<Key<?>>map(key -> key)
          .toList();

  private ProgramKeys() {}
}
