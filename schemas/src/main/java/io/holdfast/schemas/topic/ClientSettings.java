package io.holdfast.schemas.topic;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.KafkaKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import javax.security.auth.login.LoginException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Settings of this package's own clients, and what their errors mean to a user. Stateless. */
public final class ClientSettings {
  private static final Pattern QUOTED = Pattern.compile("'[^']*'");

  private ClientSettings() {}

  /** A consumer without a group that sees committed records only, from the beginning. */
  public static Map<String, Object> consumer(Map<String, String> kafka) {
    Map<String, Object> settings = new HashMap<>(KafkaKeys.consumer(kafka));
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    settings.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return settings;
  }

  /** A producer that waits for all replicas. */
  static Map<String, Object> producer(Map<String, String> kafka, Duration limit) {
    Map<String, Object> settings = new HashMap<>(KafkaKeys.producer(kafka));
    settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, limit.toMillis());
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) limit.toMillis());
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) (2 * limit.toMillis()));
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    return settings;
  }

  /** An admin client that gives up after {@code limit}. */
  public static Map<String, Object> admin(Map<String, String> kafka, Duration limit) {
    Map<String, Object> settings = new HashMap<>(KafkaKeys.admin(kafka));
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) limit.toMillis());
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) limit.toMillis());
    return settings;
  }

  /** Where the brokers are, as configured. */
  static String brokers(Map<String, String> kafka) {
    return kafka.getOrDefault(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, "(none)");
  }

  /** What a client's error means, and its remedy. */
  public static String explain(Map<String, String> kafka, @Nullable Throwable error) {
    String brokers = brokers(kafka);
    return switch (error) {
      case null -> Sentence.of("the Kafka client for %s failed and gave no reason", brokers);
      case ExecutionException e -> explain(kafka, e.getCause());
      case SslAuthenticationException e ->
          Sentence.of(
              "the broker at %s and this program do not agree on how to encrypt (%s): check"
                  + " kafka.security.protocol, which is %s, and kafka.ssl.*",
              brokers, e.getMessage(), Login.protocol(kafka));
      case AuthenticationException e ->
          Sentence.of(
              "the broker at %s refused the login of %s (%s): check kafka.security.protocol,"
                  + " kafka.sasl.mechanism and kafka.sasl.jaas.config",
              brokers, Login.described(kafka), e.getMessage());
      case AuthorizationException e -> refused(kafka, e);
      case UnknownTopicOrPartitionException e ->
          Sentence.of(
              "the broker at %s has no topic %s: create it with 'holdfast topics create'",
              brokers, e.getMessage());
      case TimeoutException _, DisconnectException _ -> Reach.of(kafka).sentence(kafka);
      case ConfigException e ->
          String.valueOf(e.getMessage()).contains(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)
              ? Reach.of(kafka).sentence(kafka)
              : Sentence.of("a setting below kafka is wrong: %s", e.getMessage());
      case KafkaException e when e.getCause() != null -> explain(kafka, e.getCause());
      case LoginException e -> wrongLogin(e);
      default ->
          String.valueOf(error.getMessage()).matches("(?s).*(JAAS|LoginModule).*")
              ? wrongLogin(error)
              : Sentence.of("the Kafka client for %s failed: %s", brokers, error.getMessage());
    };
  }

  /** The exception for a failed call; the thread stays interrupted if that is what ended it. */
  static TopicException failure(Map<String, String> kafka, Exception error) {
    if (error instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return new TopicException(explain(kafka, error), error);
  }

  /** Whom the broker does not let do what it was asked. */
  private static String refused(Map<String, String> kafka, AuthorizationException error) {
    String what =
        switch (error) {
          case TopicAuthorizationException e ->
              "topic " + String.join(", ", new TreeSet<>(e.unauthorizedTopics()));
          case GroupAuthorizationException e -> "group " + e.groupId();
          case TransactionalIdAuthorizationException _ -> "a transactional id";
          default -> "what it asked for (" + error.getMessage() + ")";
        };
    return Sentence.of(
        "the broker at %s does not let %s use %s: 'holdfast doctor' says which rights are missing"
            + " and how to grant them",
        brokers(kafka), Login.described(kafka), what);
  }

  private static String wrongLogin(Throwable error) {
    return Sentence.of(
        "kafka.sasl.jaas.config cannot be used (%s): it must be the name of a login module, the"
            + " word required, its options as key=\"value\", and a semicolon",
        // a secret may stand in quotes
        QUOTED.matcher(String.valueOf(error.getMessage())).replaceAll("'...'"));
  }
}
