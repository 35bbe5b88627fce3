package io.holdfast.service.runtime;

import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** What a supervised topology needs, and how it is started. Thread-safe. */
interface TopologyPlan {
  /** What keeps it from being started now; null if nothing does. */
  @Nullable Obstacle beforeStart();

  /** What it cannot go on with now that it runs; null if there is nothing. */
  @Nullable Obstacle whileRunning();

  /** The topics that it reads and writes, with their ids: others if one was made anew. */
  Map<String, Uuid> topics();

  /** Makes sure that the answers of the other methods are of now. */
  void lookAgain();

  /** A client that is not started yet. */
  StreamsRun open();
}
