package io.holdfast.trainer.runtime;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.topic.HeadWriter;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.trainer.publish.Publisher;
import io.holdfast.trainer.publish.ReportFramings;
import io.holdfast.trainer.runtime.log.ExampleLog;
import io.holdfast.trainer.runtime.log.HaltException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * A model's thread while the model is this trainer's: session after session until it is told to
 * stop.
 *
 * <p>Heads that are set by hand fence the session, and so does a trainer that took the model over:
 * the next session waits for proof that the model is still this trainer's. If it is not, the group
 * gives the signal to stop.
 */
final class ModelLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ModelLoop.class);
  private static final Duration FIRST_WAIT = Duration.ofMillis(500);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  /** Before another look at whether somebody has fixed what is wrong. */
  private static final Duration HALTED_WAIT = Duration.ofSeconds(5);

  /** For whoever has opened the transactional id to publish. */
  private static final Duration FENCED_WAIT = Duration.ofSeconds(1);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final ModelSettings model;
  private final Settings.SharedTopics shared;
  private final KafkaAccess kafka;
  private final BooleanSupplier ownership;
  private final ModelSession.Watch watch;

  ModelLoop(
      ModelSettings model,
      Settings.SharedTopics shared,
      KafkaAccess kafka,
      BooleanSupplier ownership,
      ModelSession.Watch watch) {
    this.model = model;
    this.shared = shared;
    this.kafka = kafka;
    this.ownership = ownership;
    this.watch = watch;
  }

  /** The consumer group that holds a model's offsets; also its producers' transactional id. */
  static String groupOf(ModelSettings model) {
    return HeadWriter.transactionalId(model.name());
  }

  @Override
  @SuppressWarnings("IllegalCatch") // a thread's end: whatever ended it must be seen from outside
  public void run() {
    try (var _ = MDC.putCloseable("model", model.name())) { // of every line of this thread
      retry();
    } catch (Throwable e) {
      watch.status().die(e);
      LOG.error("Model {} is not trained any more, because of a bug", model.name(), e);
    }
  }

  private void retry() {
    Duration wait = FIRST_WAIT;
    while (!watch.stop().given()) {
      long version = watch.status().version();
      switch (session()) {
        case ModelSession.End.Halted(TroubleKind kind, String reason) -> {
          watch.status().enter(new ModelStatus.Phase.Halted(kind, reason));
          watch.stop().await(HALTED_WAIT);
        }
        case ModelSession.End.Stopped _ -> {} // seen by the loop's condition
        case ModelSession.End.Fenced _ -> {
          LOG.info(
              "Model {}: a head was set by hand, or another trainer has the model: finding out"
                  + " which",
              model.name());
          watch.metrics().fenced();
          watch.status().enter(new ModelStatus.Phase.Fenced());
          boolean mine = false;
          while (!mine && !watch.stop().await(FENCED_WAIT)) {
            mine = ownership.getAsBoolean();
          }
        }
        case ModelSession.End.Failed(String reason) -> {
          if (watch.status().version() != version) {
            wait = FIRST_WAIT; // there was progress
          }
          LOG.warn("Model {} is tried again in {} ms: {}", model.name(), wait.toMillis(), reason);
          watch.status().enter(new ModelStatus.Phase.Retrying(reason));
          watch.stop().await(wait);
          wait = StopSignal.doubled(wait, LONGEST_WAIT);
        }
      }
    }
    watch.status().enter(new ModelStatus.Phase.StandingBy());
  }

  private ModelSession.End session() {
    try {
      Consumer<byte[], byte[]> consumer = kafka.openConsumer(groupOf(model));
      watch.stop().waitsIn(consumer);
      try (ClientMeters meters = watch.metrics().clients()) {
        meters.add(consumer);
        return session(consumer, meters);
      } finally {
        watch.stop().waitsIn(null);
        consumer.close(CloseOptions.timeout(CLOSE_LIMIT));
      }
    } catch (WakeupException e) {
      return new ModelSession.End.Stopped();
    } catch (HaltException e) {
      return new ModelSession.End.Halted(e.kind(), String.valueOf(e.getMessage()));
    } catch (SettingsException e) {
      return new ModelSession.End.Halted(
          TroubleKind.SETTINGS_DIFFER, String.valueOf(e.getMessage()));
    } catch (OffsetOutOfRangeException e) {
      return new ModelSession.End.Failed(
          "topic "
              + model.topics().examples()
              + " no longer holds the examples that come next: it was made anew, or keeps them for"
              + " too short a time");
    } catch (KafkaException e) {
      return new ModelSession.End.Failed(kafka.explain(e));
    } catch (TopicException e) {
      return new ModelSession.End.Failed(String.valueOf(e.getMessage()));
    }
  }

  private ModelSession.End session(Consumer<byte[], byte[]> consumer, ClientMeters meters) {
    var log = new ExampleLog(consumer, model.topics().examples(), model.window().idle());
    ReportFramings reports = kafka.reports();
    Producer<byte[], byte[]> producer = kafka.openProducer(groupOf(model));
    meters.add(producer);
    try (Publisher publisher =
        new Publisher(producer, shared, model, consumer.groupMetadata(), reports)) {
      return new ModelSession(model, kafka, ownership, publisher, log, watch).run();
    }
  }
}
