package io.holdfast.schemas.topic;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * Tries each right that a program needs, without doing what it is for: no record is written, no
 * offset is committed, no topic is made and nobody is fenced. Stateless.
 */
public final class AccessCheck {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** No member is called so, and no transaction. */
  private static final String NOBODY = "holdfast-doctor";

  private AccessCheck() {}

  /**
   * The rights that are missing, a sentence each that names the resource, the operation, the
   * principal and the command that grants it; empty if there are none, or if the broker asks nobody
   * for rights.
   *
   * @param program what needs them
   */
  public static List<String> problems(Settings settings, String program, List<Right> rights) {
    Map<String, String> kafka = settings.kafka();
    List<String> problems = new ArrayList<>();
    try (Admin admin = Admin.create(ClientSettings.admin(kafka, LIMIT))) {
      Map<String, Set<AclOperation>> topics = topics(admin, rights);
      for (Right right : rights) {
        if (!granted(admin, topics, right)) {
          problems.add(sentence(kafka, program, right));
        }
      }
    } catch (ExecutionException | KafkaException e) {
      problems.add(ClientSettings.explain(kafka, e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      problems.add("the check of rights was interrupted; run it again");
    }
    return problems;
  }

  private static boolean granted(Admin admin, Map<String, Set<AclOperation>> topics, Right right)
      throws InterruptedException {
    return switch (right.type()) {
      case TOPIC -> {
        Set<AclOperation> operations = topics.get(right.name());
        NewTopic wanted = new NewTopic(right.name(), Optional.empty(), Optional.empty());
        var dryRun = new CreateTopicsOptions().validateOnly(true);
        if (right.operation() == AclOperation.CREATE) {
          yield operations != null || permitted(admin.createTopics(List.of(wanted), dryRun).all());
        }
        yield operations == null || operations.contains(right.operation());
      }
      case GROUP ->
          right.operation() == AclOperation.DESCRIBE
              ? permitted(
                  admin.listConsumerGroupOffsets(right.name()).partitionsToOffsetAndMetadata())
              : mayRead(admin, right.name());
      case TRANSACTIONAL_ID -> mayWrite(admin, right);
      default -> throw new IllegalArgumentException("no right of that kind: " + right.type());
    };
  }

  /** What may be done with topics that are there; nothing with those that may not be seen. */
  private static Map<String, Set<AclOperation>> topics(Admin admin, List<Right> rights)
      throws ExecutionException, InterruptedException {
    List<String> names =
        rights.stream()
            .filter(right -> right.type() == ResourceType.TOPIC)
            .map(Right::name)
            .distinct()
            .toList();
    Map<String, Set<AclOperation>> operations = new HashMap<>();
    var asked =
        admin
            .describeTopics(names, new DescribeTopicsOptions().includeAuthorizedOperations(true))
            .topicNameValues();
    for (var topic : asked.entrySet()) {
      try {
        Set<AclOperation> allowed = topic.getValue().get().authorizedOperations();
        operations.put(topic.getKey(), allowed == null ? Set.of(AclOperation.values()) : allowed);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof TopicAuthorizationException) {
          operations.put(topic.getKey(), Set.of());
        } else if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
    }
    return operations;
  }

  /** A member that is not there cannot be made to leave; whoever may not read is not told so. */
  private static boolean mayRead(Admin admin, String group) throws InterruptedException {
    MemberToRemove nobody = new MemberToRemove(NOBODY);
    var options = new RemoveMembersFromConsumerGroupOptions(Set.of(nobody));
    return permitted(admin.removeMembersFromConsumerGroup(group, options).memberResult(nobody));
  }

  /**
   * To look at a transactional id is allowed to all who may write by it. Whether that is all that
   * is allowed is tried by opening it, where that fences nobody.
   */
  private static boolean mayWrite(Admin admin, Right right) throws InterruptedException {
    String id = right.name();
    if (right.prefix()) {
      return opens(admin, id + "-" + NOBODY);
    }
    return permitted(admin.describeTransactions(List.of(id)).description(id))
        && (used(admin, right.members()) || opens(admin, id));
  }

  private static boolean opens(Admin admin, String transactionalId) throws InterruptedException {
    return permitted(admin.fenceProducers(List.of(transactionalId)).all());
  }

  private static boolean used(Admin admin, @Nullable String members) throws InterruptedException {
    if (members == null) {
      return false;
    }
    try {
      return admin.describeConsumerGroups(List.of(members)).all().get().values().stream()
          .anyMatch(group -> !group.members().isEmpty());
    } catch (ExecutionException e) {
      return !(e.getCause() instanceof GroupIdNotFoundException);
    }
  }

  /** Whether it did not fail for want of the right; what else may be wrong is found elsewhere. */
  private static boolean permitted(KafkaFuture<?> asked) throws InterruptedException {
    try {
      asked.get();
      return true;
    } catch (ExecutionException e) {
      return !(e.getCause() instanceof AuthorizationException);
    }
  }

  private static String sentence(Map<String, String> kafka, String program, Right right) {
    // As access rules spell it: DescribeConfigs.
    String operation =
        Arrays.stream(right.operation().name().split("_", -1))
            .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
            .collect(Collectors.joining());
    String resource = right.type().name().toLowerCase(Locale.ROOT).replace('_', '-');
    String principal = Login.principal(kafka);
    return Sentence.of(
        "%s may not %s %s %s%s, which the %s needs: grant it with kafka-acls.sh --bootstrap-server"
            + " %s --add --allow-principal %s --operation %s --%s %s%s",
        Login.described(kafka),
        operation,
        resource.replace('-', ' '),
        right.name(),
        right.prefix() ? "*" : "",
        program,
        ClientSettings.brokers(kafka),
        principal.isEmpty() ? "PRINCIPAL" : principal,
        operation,
        resource,
        right.name(),
        right.prefix() ? " --resource-pattern-type prefixed" : "");
  }
}
