package io.holdfast.service.resume;

import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Whether a consumer has taken anew from a broker which topics there are: from then on it reads
 * what has the names then. A deserializer, since consumers tell those. Thread-safe.
 */
final class MetadataUpdates extends ByteArrayDeserializer implements ClusterResourceListener {
  private volatile boolean unchecked;

  @Override
  public void onUpdate(ClusterResource cluster) {
    unchecked = true;
  }

  boolean unchecked() {
    return unchecked;
  }

  /** What was taken so far is about to be checked. */
  void check() {
    unchecked = false;
  }

  /** It could not be. */
  void checkAgain() {
    unchecked = true;
  }
}
