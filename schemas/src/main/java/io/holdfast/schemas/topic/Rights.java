package io.holdfast.schemas.topic;

import static org.apache.kafka.common.acl.AclOperation.ALTER;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.settings.Security.Role;
import io.holdfast.schemas.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.acl.AclOperation;

/** What each program must be allowed to do on the broker. Stateless. */
public final class Rights {
  private Rights() {}

  /**
   * What the scoring service needs. Kafka Streams adds to a group's name to make transactional ids,
   * and topics for what a join keeps.
   */
  public static List<Right> service(Settings settings) {
    List<Right> rights = shared(settings);
    rights.add(Right.topic(settings.topics().reports(), READ));
    if (settings.registry() != null) {
      rights.add(Right.topic(settings.topics().schemas(), WRITE)); // what the registry says
    }
    rights.add(Right.groupOfOthers(settings.trainer().group()));
    for (ModelSettings model : settings.models().values()) {
      var topics = model.topics();
      add(rights, topics.records(), READ);
      add(rights, topics.scores(), WRITE);
      add(rights, topics.scores(), READ); // how far it scored, if nothing is committed any more
      add(rights, topics.shadowScores(), WRITE);
      add(rights, topics.examples(), WRITE);
      add(rights, topics.deadLetters(), WRITE);
      add(rights, topics.deadLetters(), READ);
      sizes(rights, model);
      streams(rights, StreamsNames.score(settings, model));
      if (model.labels() instanceof Labels.InTopic) {
        add(rights, topics.labels(), READ);
        add(rights, topics.join(), READ);
        add(rights, topics.join(), WRITE);
        add(rights, topics.join(), DESCRIBE_CONFIGS);
        streams(rights, StreamsNames.join(settings, model));
        // It grows with the join's topic.
        for (AclOperation operation : List.of(CREATE, READ, WRITE, ALTER)) {
          add(rights, StreamsNames.changelog(settings, model), operation);
        }
      }
      rights.add(Right.groupOfOthers(HeadWriter.transactionalId(model.name())));
      if (settings.security().anyMay(Role.OPERATOR)) {
        add(rights, settings.topics().models(), WRITE);
        rights.add(transactions(settings, model));
      }
      if (settings.security().anyMay(Role.ADMIN)) {
        redriving(rights, settings, model);
      }
    }
    return rights;
  }

  /** To send dead letters in again. */
  private static void redriving(List<Right> rights, Settings settings, ModelSettings model) {
    add(rights, model.topics().records(), WRITE);
    if (model.labels() instanceof Labels.InTopic) {
      add(rights, model.topics().labels(), WRITE);
    }
    String scoring = StreamsNames.score(settings, model);
    rights.add(Right.transactions(DeadLetterMessage.transactionalId(model.name()), scoring));
  }

  /** What the trainer needs. */
  public static List<Right> trainer(Settings settings) {
    List<Right> rights = shared(settings);
    add(rights, settings.topics().models(), WRITE);
    add(rights, settings.topics().reports(), WRITE);
    rights.add(Right.group(settings.trainer().group()));
    for (ModelSettings model : settings.models().values()) {
      var topics = model.topics();
      add(rights, topics.examples(), READ);
      add(rights, topics.deadLetters(), WRITE);
      sizes(rights, model);
      rights.add(Right.group(HeadWriter.transactionalId(model.name())));
      rights.add(transactions(settings, model));
    }
    return rights;
  }

  /** Whether topics take records as large as they may get is looked at before a start. */
  private static void sizes(List<Right> rights, ModelSettings model) {
    add(rights, model.topics().examples(), DESCRIBE_CONFIGS);
    add(rights, model.topics().deadLetters(), DESCRIBE_CONFIGS);
  }

  private static List<Right> shared(Settings settings) {
    List<Right> rights = new ArrayList<>();
    for (String topic : List.of(settings.topics().models(), settings.topics().schemas())) {
      rights.add(Right.topic(topic, READ));
      rights.add(Right.topic(topic, DESCRIBE_CONFIGS));
    }
    return rights;
  }

  private static Right transactions(Settings settings, ModelSettings model) {
    return Right.transactions(HeadWriter.transactionalId(model.name()), settings.trainer().group());
  }

  private static void streams(List<Right> rights, String applicationId) {
    rights.add(Right.group(applicationId));
    addOnce(rights, Right.transactionsFrom(applicationId));
  }

  private static void add(List<Right> rights, String topic, AclOperation operation) {
    addOnce(rights, Right.topic(topic, operation));
  }

  private static void addOnce(List<Right> rights, Right right) {
    if (!rights.contains(right)) {
      rights.add(right);
    }
  }
}
