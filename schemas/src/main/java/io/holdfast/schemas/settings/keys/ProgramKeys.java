package io.holdfast.schemas.settings.keys;

import static io.holdfast.schemas.settings.keys.Kind.Length.ABOVE_0;

import java.time.Duration;
import java.util.List;

/** The settings of the two programs, the topics that all models share, and the registry. */
public final class ProgramKeys {
  private static final KeyTable KEYS = new KeyTable();

  private static final String LAG_TROUBLE =
      "before that is the trouble [`lagging`](metrics.md#lag)";

  // The most that a broker takes by default; its least, 6 s by default, differs and is its own.
  private static final Kind.Length SESSION =
      new Kind.Length(Duration.ofSeconds(1), Duration.ofMinutes(30), "from 1s to 30m");
  private static final Kind.Length REQUEST =
      new Kind.Length(Duration.ofMillis(1), Duration.ofHours(1), "above 0, up to 1h");

  public static final Key<String> HOST =
      KEYS.text("service.host", "The address that REST and dashboard listen on")
          .usual("127.0.0.1")
          .more("`0.0.0.0` for all, which needs [`security`](how-to/secure-the-service.md)");
  public static final Key<Integer> PORT =
      KEYS.whole("service.port", 8080, 0, 65_535, "The port; 0 takes any free one");
  public static final Key<String> APPLICATION_ID =
      KEYS.name(
              "service.applicationId",
              "Prefix of the Kafka Streams application ids, the same for all instances")
          .usual("holdfast")
          .more("They are `<applicationId>-<model>-score` and `-join`");
  public static final Key<String> INSTANCE_ID =
      KEYS.name(
              "service.instanceId",
              "Static membership: differs between instances, stays when one restarts")
          .usually("machine and state directory");
  public static final Key<String> STATE_DIRECTORY =
      KEYS.text(
              "service.stateDirectory",
              "The folder of the label join's local store, one a instance")
          .usual("holdfast-data/state")
          .more("It is rebuilt from Kafka when lost");
  public static final Key<Duration> REQUEST_TIMEOUT =
      KEYS.of(
          "service.requestTimeout",
          Duration.ofSeconds(30),
          REQUEST,
          "How long an HTTP request may take to arrive whole");
  public static final Key<Duration> MAX_LAG =
      KEYS.of(
              "service.maxLag",
              Duration.ofMinutes(1),
              ABOVE_0,
              "How long a record may wait to be scored or joined")
          .more(LAG_TROUBLE);

  public static final Key<List<String>> TOKENS =
      KEYS.texts("security.tokens", "Who may do what: `NAME ROLE TOKEN` each")
          .more(
              "ROLE is `viewer`, `operator` or `admin`; TOKEN comes from the environment, or is"
                  + " `sha256:` and its hash in hex digits");
  public static final Key<String> TOKENS_FILE =
      KEYS.text(
              "security.tokensFile", "A file with such lines, which the service reads at its start")
          .usually("none");
  public static final Key<String> JWKS =
      KEYS.text("security.jwks", "The URL of an identity provider's keys: its JWTs are tokens, too")
          .usually("none");
  public static final Key<String> ISSUER =
      KEYS.text("security.issuer", "Who must have issued them (`iss`)").usually("none");
  public static final Key<String> AUDIENCE =
      KEYS.text("security.audience", "For whom (`aud`)").usually("none");
  public static final Key<String> ROLES_CLAIM =
      KEYS.text("security.rolesClaim", "Where their roles stand, such as `realm_access.roles`")
          .usual("roles");
  public static final Key<Boolean> OPEN_READING =
      KEYS.truth("security.openReading", false, "Whether reading and scoring need no token");
  public static final Key<String> CERTIFICATE =
      KEYS.text("security.certificate", "Our certificate for HTTPS with those above it, PEM")
          .usually("none")
          .more("Of service and trainer; read again when it changes");
  public static final Key<String> PRIVATE_KEY =
      KEYS.text("security.privateKey", "Its private key, PEM").usually("none");

  public static final Key<String> TRAINER_HOST =
      KEYS.text("trainer.host", "The address of health and metrics").usual("127.0.0.1");
  public static final Key<Integer> TRAINER_PORT =
      KEYS.whole("trainer.port", 8081, 0, 65_535, "The port; 0 takes any free one");
  public static final Key<String> TRAINER_GROUP =
      KEYS.name("trainer.group", "The consumer group in which trainers share the models")
          .usual("holdfast-trainers")
          .more("[How](operations.md#sharing-models-between-trainers)");
  public static final Key<Duration> SESSION_TIMEOUT =
      KEYS.of(
              "trainer.sessionTimeout",
              Duration.ofSeconds(10),
              SESSION,
              "How long nothing may be heard of a trainer before others take its models")
          .more("From 1s to 30m, and what the broker takes (6 s at least by default)");
  public static final Key<String> TRAINER_INSTANCE_ID =
      KEYS.name(
              "trainer.instanceId",
              "Static membership: a trainer back within the session time-out keeps its models")
          .usually("none")
          .more("Must differ between trainers");
  public static final Key<Duration> TRAINER_REQUEST_TIMEOUT =
      KEYS.of(
          "trainer.requestTimeout",
          REQUEST_TIMEOUT.byDefault(),
          REQUEST,
          "How long an HTTP request may take to arrive whole");
  public static final Key<Duration> TRAINER_MAX_LAG =
      KEYS.of(
              "trainer.maxLag",
              MAX_LAG.byDefault(),
              ABOVE_0,
              "How long a window of examples may wait to be learned from")
          .more(LAG_TROUBLE);

  public static final Key<String> MODELS =
      KEYS.name("topics.models", "The model ledger: compacted, one partition")
          .usual("holdfast.models");
  public static final Key<String> REPORTS =
      KEYS.name("topics.reports", "A report a window").usual("holdfast.reports");
  public static final Key<String> SCHEMAS =
      KEYS.name("topics.schemas", "Writer schemas: compacted, one partition")
          .usual("holdfast.schemas")
          .more("Key `<record topic>/<fingerprint in hex>`, value the schema's JSON");

  public static final Key<List<String>> REGISTRY_URLS =
      KEYS.texts("registry.urls", "Its servers, asked in turn; without one no registry is asked");
  public static final Key<String> REGISTRY_USER =
      KEYS.text("registry.user", "For basic authentication").usually("none");
  public static final Key<String> REGISTRY_PASSWORD =
      KEYS.text("registry.password", "The user's").usually("none");
  public static final Key<String> REGISTRY_TOKEN =
      KEYS.text("registry.token", "A bearer token instead").usually("none");
  public static final Key<String> REGISTRY_KEYSTORE =
      KEYS.text("registry.keystore", "Our certificate for mutual TLS: PKCS#12 or JKS")
          .usually("none");
  public static final Key<String> REGISTRY_KEYSTORE_PASSWORD =
      KEYS.text("registry.keystorePassword", "The keystore's").usually("none");
  public static final Key<String> REGISTRY_TRUSTSTORE =
      KEYS.text("registry.truststore", "Certificates that are trusted").usually("Java's");
  public static final Key<String> REGISTRY_TRUSTSTORE_PASSWORD =
      KEYS.text("registry.truststorePassword", "The truststore's").usually("none");
  public static final Key<Duration> REGISTRY_TIMEOUT =
      KEYS.of(
          "registry.timeout",
          Duration.ofSeconds(5),
          new Kind.Length(Duration.ofMillis(1), Duration.ofMinutes(1), "above 0, up to 1m"),
          "How long one request to one server may take");
  public static final Key<String> REGISTRY_SUBJECTS =
      KEYS.choice(
          "registry.subjects",
          "The subject of what we register: `TOPIC-value`, its name, `TOPIC-NAME`",
          "topic",
          "record",
          "topic-record");
  public static final Key<String> REGISTRY_REPORTS =
      KEYS.choice("registry.reports", "How reports are written", TopicKeys.WRITTEN);

  /** All, by group, in the order of the documentation; paths are below {@code holdfast}. */
  public static final List<Key<?>> ALL = KEYS.all();

  private ProgramKeys() {}
}
