package io.holdfast.trainer.runtime;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.Retrained;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.trainer.rebuild.Rebuild;
import io.holdfast.trainer.runtime.log.ExampleLog;
import io.holdfast.trainer.runtime.log.ForgottenKeys;
import java.time.Duration;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** Trains versions again from what is on Kafka, and writes nothing. Owned by one thread. */
public final class Rebuilder implements AutoCloseable {
  private final ModelSettings model;
  private final KafkaAccess kafka;
  private final Ledger ledger;
  private final Consumer<byte[], byte[]> consumer;

  /**
   * For the versions that the model topic holds now; {@code kafka} is the caller's to close.
   *
   * @throws org.apache.kafka.common.KafkaException if the topic cannot be read
   * @throws io.holdfast.schemas.topic.TopicException likewise
   */
  public Rebuilder(ModelSettings model, KafkaAccess kafka) {
    this.model = model;
    this.kafka = kafka;
    ledger = kafka.readLedger(model.name());
    consumer = kafka.openConsumer("holdfast-rebuild-" + model.name());
  }

  /** The numbers of the versions, ascending. */
  public SortedSet<Long> versions() {
    return ledger.versions(model.name()).stream()
        .map(ModelManifest::getVersion)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Trains one version again.
   *
   * @throws LedgerException in one sentence if it or its parent is missing or cannot be verified
   */
  public Rebuild.Result rebuild(long version) throws LedgerException {
    LedgerVersion stored = ledger.version(model.name(), version);
    LedgerVersion parent = parent(stored.manifest());
    ModelManifest manifest = stored.manifest();
    String topic =
        manifest.getWindow().isEmpty()
            ? model.topics().examples()
            : manifest.getWindow().getFirst().getTopic();
    ExampleLog log = new ExampleLog(consumer, topic, Duration.ZERO);
    Uuid id = kafka.topicIds(Set.of(topic)).getOrDefault(topic, Uuid.ZERO_UUID);
    log.forget(ForgottenKeys.of(Retrained.rows(manifest), id));
    return Rebuild.of(stored, parent, new SingleObjectFraming(kafka.schemas()), log::readAgain);
  }

  private @Nullable LedgerVersion parent(ModelManifest manifest) throws LedgerException {
    if (manifest.getParentHash() == null) {
      return null;
    }
    Digest hash = Digest.fromBytes(manifest.getParentHash().bytes());
    for (long number : versions().headSet(manifest.getVersion()).reversed()) {
      if (ledger.hash(model.name(), number).filter(hash::equals).isPresent()) {
        return ledger.version(model.name(), number);
      }
    }
    if (manifest.getParentVersion() == 0 && Retrained.of(manifest) != null) {
      return null; // a version 0 that was never written
    }
    throw new LedgerException(
        LedgerException.Reason.MISSING_MANIFEST,
        Sentence.of(
            "version %d of %s cannot be trained again: its parent %s is not on the topic any more",
            manifest.getVersion(), model.name(), hash));
  }

  @Override
  public void close() {
    consumer.close();
  }
}
