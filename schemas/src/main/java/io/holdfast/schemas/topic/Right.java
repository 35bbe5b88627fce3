package io.holdfast.schemas.topic;

import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * Something that a program must be allowed to do. Immutable.
 *
 * @param prefix whether {@code name} is what the names of many begin with
 * @param members the group of those who use a transactional id that one alone can use at a time
 */
public record Right(
    ResourceType type,
    String name,
    AclOperation operation,
    boolean prefix,
    @Nullable String members) {

  static Right topic(String name, AclOperation operation) {
    return new Right(ResourceType.TOPIC, name, operation, false, null);
  }

  static Right group(String name) {
    return new Right(ResourceType.GROUP, name, AclOperation.READ, false, null);
  }

  /** To be told how far a group of others has come. */
  static Right groupOfOthers(String name) {
    return new Right(ResourceType.GROUP, name, AclOperation.DESCRIBE, false, null);
  }

  static Right transactions(String id, String members) {
    return new Right(ResourceType.TRANSACTIONAL_ID, id, AclOperation.WRITE, false, members);
  }

  static Right transactionsFrom(String prefix) {
    return new Right(ResourceType.TRANSACTIONAL_ID, prefix, AclOperation.WRITE, true, null);
  }
}
