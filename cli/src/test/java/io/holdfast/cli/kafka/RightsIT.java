package io.holdfast.cli.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.CliRun;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.AccessCheck;
import io.holdfast.schemas.topic.Right;
import io.holdfast.schemas.topic.Rights;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker that asks who one is and what one may do, over TLS: as docs/how-to/secure-kafka.md has
 * it.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RightsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String PASSWORD = "keystore-secret";
  private static final String PLAIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required ";
  private static final String SCRAM =
      "org.apache.kafka.common.security.scram.ScramLoginModule required ";
  private static final String ALICE = PLAIN + "username=\"alice\" password=\"alice-secret\";";
  private static final Schema RIDE =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Ride", "fields": [
            {"name": "x", "type": "double"}, {"name": "y", "type": ["null", "double"]}]}
          """);

  @TempDir static Path folder;
  private static EmbeddedBroker broker;
  private static Admin admin;
  private static Settings settings;
  private static Settings root;

  @BeforeAll
  static void startBroker() throws Exception {
    Path keys = Certificates.make(folder, PASSWORD);
    broker =
        EmbeddedBroker.start(
            folder.resolve("kafka"),
            0,
            "SASL_SSL",
            Map.of(
                "ssl.keystore.location",
                keys.toString(),
                "ssl.keystore.password",
                PASSWORD,
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                folder.resolve("ca.pem").toString(),
                "sasl.enabled.mechanisms",
                "PLAIN,SCRAM-SHA-512",
                "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config",
                SCRAM + ";",
                "sasl.mechanism.inter.broker.protocol",
                "PLAIN",
                "listener.name.sasl_ssl.plain.sasl.jaas.config",
                PLAIN
                    + "username=\"root\" password=\"root-secret\""
                    + " user_root=\"root-secret\" user_alice=\"alice-secret\""
                    + " user_scorer=\"scorer-secret\";",
                "authorizer.class.name",
                "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "super.users",
                "User:root;User:ANONYMOUS"));
    settings = settings("alice", "SASL_SSL", "PLAIN", ALICE);
    root =
        settings(
            "root", "SASL_SSL", "PLAIN", PLAIN + "username=\"root\" password=\"root-secret\";");
    admin = Admin.create(new HashMap<String, Object>(root.kafka()));
    admin
        .alterUserScramCredentials(
            List.of(
                new UserScramCredentialUpsertion(
                    "learner",
                    new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4_096),
                    "learner-secret")))
        .all()
        .get();
    TopicCheck.create(root, 2);
    for (String model : List.of("in", "apart")) {
      SchemaTopic.register(root.kafka(), root.topics().schemas(), model + ".records", RIDE);
    }
  }

  @AfterAll
  static void stopBroker() {
    admin.close();
    broker.close();
  }

  @Test
  @Order(1)
  void doctor_wrongPassword_saysWhoseLoginWasRefused() throws IOException {
    settings("wrong", "SASL_SSL", "PLAIN", ALICE.replace("alice-secret", "nonsense"));
    doctor("wrong").saysOneSentence(1, "refused the login of User:alice", "sasl.jaas.config");
  }

  @Test
  @Order(1)
  void doctor_mechanismThatIsNotOffered_saysWhichAre() throws IOException {
    settings(
        "scram",
        "SASL_SSL",
        "SCRAM-SHA-256",
        ALICE.replace("plain.PlainLoginModule", "scram.ScramLoginModule"));
    doctor("scram")
        .saysOneSentence(1, "SCRAM-SHA-256", "enabled mechanisms are [", "SCRAM-SHA-512");
  }

  @Test
  @Order(1)
  void doctor_loginLineThatIsNone_saysWhatItMustBeAndNoSecret() throws IOException {
    settings("torn", "SASL_SSL", "PLAIN", ALICE.replace(";", ""));
    doctor("torn").saysOneSentence(1, "kafka.sasl.jaas.config cannot be used", "semicolon");
    settings("loose", "SASL_SSL", "PLAIN", PLAIN + "username=alice password=a secret;");
    doctor("loose").saysOneSentence(1, "kafka.sasl.jaas.config cannot be used");
    assertThat(doctor("loose").err()).doesNotContain("secret");
    settings("none", "SASL_SSL", "PLAIN", "no.such.Module required a=\"b\";");
    doctor("none").saysOneSentence(1, "kafka.sasl.jaas.config cannot be used", "no.such.Module");
  }

  @Test
  @Order(1)
  void doctor_otherProtocolThanThePorts_saysThatItIsNotTheBroker() throws IOException {
    for (String protocol : List.of("PLAINTEXT", "SSL")) {
      settings("other", protocol, "PLAIN", ALICE);
      doctor("other").saysOneSentence(1, "kafka.security.protocol, which is " + protocol);
    }
  }

  @Test
  @Order(2)
  void doctor_noRights_namesEachByTopicGroupOrIdWithOperationAndPrincipal() {
    CliRun run = doctor("alice");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains(
            "User:alice may not Read topic in.records, which the service needs: grant it with"
                + " kafka-acls.sh --bootstrap-server "
                + broker.bootstrapServers()
                + " --add --allow-principal User:alice --operation Read --topic in.records",
            "User:alice may not Read group holdfast-trainers, which the trainer needs",
            "User:alice may not Read group holdfast-trainer-in, which the trainer needs",
            "User:alice may not Write transactional id holdfast-trainer-in, which the trainer",
            "--operation Write --transactional-id holdfast-trainer-in\n",
            "User:alice may not DescribeConfigs topic holdfast.models",
            " --resource-pattern-type prefixed")
        .doesNotContain("\tat ");
    for (Right right : rights()) {
      assertThat(run.err()).contains(" " + right.name());
    }
    assertThat(CliRun.of("doctor", "--for", "trainer", "--config", config("alice")).err())
        .contains("which the trainer needs")
        .doesNotContain("which the service needs");
  }

  @Test
  @Order(3)
  void doctor_allRights_findsNothing() throws Exception {
    grant("alice", "--principal", "User:alice");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(doctor("alice").out()).startsWith("All is well"));
  }

  @Test
  @Order(4)
  void serviceAndTrainer_needNoOtherRights() throws Exception {
    grant("alice", "--for", "service", "--principal", "User:scorer");
    grant("alice", "--for", "trainer", "--principal", "User:learner");
    Settings scorer = settings("scorer", "SASL_SSL", "PLAIN", ALICE.replace("alice", "scorer"));
    String login = SCRAM + "username=\"learner\" password=\"learner-secret\";";
    Settings learner = settings("learner", "SASL_SSL", "SCRAM-SHA-512", login);
    var log = new ByteArrayOutputStream();
    try (var _ = new CapturedLog(log);
        Service service = Service.start(scorer);
        Trainer trainer = Trainer.start(learner);
        KafkaProducer<String, byte[]> producer =
            new KafkaProducer<>(
                new HashMap<>(root.kafka()), new StringSerializer(), new ByteArraySerializer())) {
      await().atMost(PATIENCE).until(() -> service.ready() && trainer.ready());
      ride(producer, 0, 120);
      producer.send(new ProducerRecord<>("in.records", "bad", "no record".getBytes(UTF_8))).get();
      for (String model : List.of("in", "apart")) {
        await(model + " learns")
            .atMost(PATIENCE)
            .until(() -> service.models().versions(model).size() > 1);
        await(model + " scores").atMost(PATIENCE).until(() -> written(model + ".scores") > 0);
      }
      await("a dead letter").atMost(PATIENCE).until(() -> written("in.dead-letters") > 0);
      HttpActions.rollBack(service, config("alice"));
      HttpActions.sendInAgain(service, config("alice"));
      // The mark, and the letter anew: nothing was mended.
      await("again").atMost(PATIENCE).until(() -> written("in.dead-letters") > 2);
      // The head by hand shuts the trainer out at its next version: it comes back, and learns on.
      ride(producer, 120, 240);
      await("in learns on")
          .atMost(PATIENCE)
          .until(() -> trainer.ready() && learnedSinceRollBack(service));
      HttpActions.keepSecrets(log, service.url(), trainer.url());
      assertThat(service.status().failures()).isEmpty();
      assertThat(service.status().troubles()).isEmpty();
      // While all of it is in use, no right is tried by taking it from whom it belongs to.
      assertThat(CliRun.of("doctor", "--for", "service", "--config", config("scorer")).out())
          .startsWith("All is well");
      assertThat(CliRun.of("doctor", "--for", "trainer", "--config", config("learner")).out())
          .startsWith("All is well");
      assertThat(trainer.ready()).isTrue();
    }
  }

  /** Rows that both models learn: within the records of the one, in a topic apart of the other. */
  private static void ride(KafkaProducer<String, byte[]> producer, int first, int end) {
    RecordEncoder rides = new RecordEncoder(RIDE);
    for (int row = first; row < end; row++) {
      byte[] ride =
          rides.encode(
              new GenericRecordBuilder(RIDE).set("x", 0.1 * row).set("y", 1.0 * row).build());
      for (String model : List.of("in", "apart")) {
        var _ = producer.send(new ProducerRecord<>(model + ".records", "k" + row, ride));
      }
      byte[] label = Contracts.LABEL.encode(new Label((double) row, null, null));
      var _ = producer.send(new ProducerRecord<>("apart.labels", "k" + row, label));
    }
  }

  private static boolean learnedSinceRollBack(Service service) {
    List<HeadReason> newestFirst =
        service.models().heads("in").stream().map(ModelHead::getReason).toList();
    return newestFirst.contains(HeadReason.ROLLED_BACK)
        && newestFirst.getFirst() == HeadReason.TRAINED;
  }

  @Test
  @Order(5)
  void oneRightLess_isNamedByTheDoctor() throws Exception {
    for (Right right : rights()) {
      if (right.operation() == AclOperation.CREATE) {
        continue; // what is there need not be made
      }
      List<AclBinding> bindings = granting(right);
      admin.deleteAcls(bindings.stream().map(AclBinding::toFilter).toList()).all().get();
      await(right.toString())
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(problems())
                      .anyMatch(
                          problem ->
                              problem.startsWith("User:alice may not ")
                                  && problem.contains(" " + right.name())
                                  && problem
                                      .toUpperCase(Locale.ROOT)
                                      .contains(
                                          "--OPERATION "
                                              + right.operation().name().replace("_", ""))));
      admin.createAcls(bindings).all().get();
    }
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(problems()).isEmpty());
  }

  /** Offsets of a topic that are taken. */
  private static long written(String topic) throws Exception {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (int partition = 0; partition < 2; partition++) {
      ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
    }
    return admin.listOffsets(ends).all().get().values().stream()
        .mapToLong(ListOffsetsResult.ListOffsetsResultInfo::offset)
        .sum();
  }

  private static List<String> problems() {
    List<String> problems =
        new ArrayList<>(AccessCheck.problems(settings, "service", Rights.service(settings)));
    problems.addAll(AccessCheck.problems(settings, "trainer", Rights.trainer(settings)));
    return problems;
  }

  private static List<Right> rights() {
    return Stream.concat(Rights.service(settings).stream(), Rights.trainer(settings).stream())
        .distinct()
        .toList();
  }

  /** Whoever may read or write something may also see it. */
  private static List<AclBinding> granting(Right right) {
    return rights().stream()
        .filter(
            other ->
                other.equals(right)
                    || (right.operation() == AclOperation.DESCRIBE
                        && other.type() == right.type()
                        && other.name().equals(right.name())))
        .map(RightsIT::binding)
        .toList();
  }

  /** Gives what {@code holdfast acls} prints. */
  private static void grant(String name, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("acls", "--json", "--config", config(name)));
    command.addAll(List.of(options));
    List<AclBinding> bindings = new ArrayList<>();
    for (JsonNode acl :
        new ObjectMapper().readTree(CliRun.of(command.toArray(String[]::new)).out())) {
      var resource =
          new ResourcePattern(
              ResourceType.valueOf(label(acl, "resource").replace('-', '_')),
              acl.get("name").asText(),
              PatternType.valueOf(label(acl, "pattern")));
      for (JsonNode operation : acl.get("operations")) {
        String words = operation.asText().replaceAll("(?<=[a-z])(?=[A-Z])", "_");
        bindings.add(
            new AclBinding(
                resource,
                new AccessControlEntry(
                    acl.get("principal").asText(),
                    "*",
                    AclOperation.valueOf(words.toUpperCase(Locale.ROOT)),
                    AclPermissionType.ALLOW)));
      }
    }
    admin.createAcls(bindings).all().get();
  }

  private static String label(JsonNode acl, String name) {
    return acl.get(name).asText().toUpperCase(Locale.ROOT);
  }

  private static AclBinding binding(Right right) {
    return new AclBinding(
        new ResourcePattern(
            right.type(),
            right.name(),
            right.prefix() ? PatternType.PREFIXED : PatternType.LITERAL),
        new AccessControlEntry("User:alice", "*", right.operation(), AclPermissionType.ALLOW));
  }

  private static CliRun doctor(String name) {
    return CliRun.of("doctor", "--config", config(name));
  }

  private static String config(String name) {
    return folder.resolve(name + ".yml").toString();
  }

  private static Settings settings(String name, String protocol, String mechanism, String login)
      throws IOException {
    Path file =
        Files.writeString(
            Path.of(config(name)),
            Sentence.of(
                """
                kafka:
                  bootstrap.servers: "%s"
                  security.protocol: %s
                  sasl.mechanism: %s
                  sasl.jaas.config: '%s'
                  ssl.truststore.type: PEM
                  ssl.truststore.location: "%s"
                holdfast:
                  service: { port: 0, stateDirectory: "%s" }
                  security: { tokens: [ "ana admin %s" ], openReading: true }
                  registry: { urls: [ "http://127.0.0.1:1" ], user: u, password: registry-secret }
                  trainer: { port: 0 }
                  models:
                    in:
                      objective: squared
                      label: y
                      update: { policy: append }
                      window: { rows: 50 }
                    apart:
                      objective: squared
                      label: y
                      labels: { in: topic }
                      update: { policy: append }
                      window: { rows: 50 }
                """,
                broker.bootstrapServers(),
                protocol,
                mechanism,
                login,
                folder.resolve("ca.pem"),
                folder.resolve("state"),
                HttpActions.TOKEN));
    return Settings.read(file, Map.of());
  }
}
