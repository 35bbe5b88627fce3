package io.holdfast.cli.audit;

import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** A message of a topic, and how it is changed. */
@SuppressWarnings("ArrayRecordComponent") // never compared but by identity
record Message(int partition, String key, byte[] value, Headers headers) {
  Message with(byte[] other) {
    return new Message(partition, key, other, headers);
  }

  Message keyed(String other) {
    return new Message(partition, other, value, headers);
  }

  static List<Message> without(List<Message> all, int place) {
    List<Message> left = new ArrayList<>(all);
    left.remove(place);
    return left;
  }

  static List<Message> with(List<Message> all, Message more) {
    List<Message> longer = new ArrayList<>(all);
    longer.add(more);
    return longer;
  }

  static List<Message> replaced(List<Message> all, int place, Message other) {
    List<Message> changed = new ArrayList<>(all);
    changed.set(place, other);
    return changed;
  }

  static <T extends SpecificRecord> List<Message> changed(
      List<Message> all, int place, ContractCodec<T> codec, UnaryOperator<T> change) {
    Message one = all.get(place);
    return replaced(all, place, one.with(codec.encode(change.apply(read(codec, one)))));
  }

  static <T extends SpecificRecord> T read(ContractCodec<T> codec, Message message) {
    try {
      return codec.decode(message.value());
    } catch (MalformedRecordException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Changes, or with null drops, the message of so many among those whose keys begin so. */
  static List<Message> at(
      List<Message> all, String prefix, int number, Function<Message, @Nullable Message> change) {
    Message found =
        all.stream()
            .filter(one -> one.key().startsWith(prefix))
            .skip(number)
            .findFirst()
            .orElseThrow();
    Message other = change.apply(found);
    int place = all.indexOf(found);
    return other == null ? without(all, place) : replaced(all, place, other);
  }

  static Message found(List<Message> all, String key) {
    Predicate<Message> named = one -> one.key().equals(key);
    return all.stream().filter(named).findFirst().orElseThrow();
  }

  static List<Message> manifest(
      List<Message> all, int version, UnaryOperator<ModelManifest> change) {
    return changed(
        all, all.indexOf(found(all, "m/version/" + version)), Contracts.MANIFEST, change);
  }
}
