package io.holdfast.trainer.runtime;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.feature.RecordLayout;
import io.holdfast.schemas.feature.SchemaFit;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.ExampleTime;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.Retrained;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.trainer.learn.Standing;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.policy.AutoPolicy;
import io.holdfast.trainer.publish.DeadLetter;
import io.holdfast.trainer.publish.LearnedTopic;
import io.holdfast.trainer.publish.Publisher;
import io.holdfast.trainer.publish.Publisher.Conclusion;
import io.holdfast.trainer.runtime.log.ExampleLog;
import io.holdfast.trainer.runtime.log.ExampleReader;
import io.holdfast.trainer.runtime.log.ForgottenKeys;
import io.holdfast.trainer.runtime.log.HaltException;
import io.holdfast.trainer.window.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One model's training from a start to the next failure: finds out from the topics where to
 * continue, then feeds examples to a {@link TrainerCore} and publishes its decisions. Owned by the
 * training thread.
 *
 * <p>Nothing is kept for the next session: after a failed transaction only the topics can say
 * whether it was committed, so continuing after a failure and after a restart are the same.
 */
final class ModelSession {
  private static final Logger LOG = LoggerFactory.getLogger(ModelSession.class);
  private static final Duration SCHEMA_WAIT = Duration.ofMillis(200);
  private static final Duration PARTITION_CHECK = Duration.ofMinutes(1);

  private final ModelSettings model;
  private final KafkaAccess kafka;
  private final BooleanSupplier ownership;
  private final Publisher publisher;
  private final ExampleLog log;
  private final TrainerCore core;
  private final WindowTraining training;
  private final Watch watch;
  private final List<DeadLetter> deadLetters = new ArrayList<>();
  private final List<Conclusion> decided = new ArrayList<>(); // and applied, but not published yet
  private final Backlog backlog = new Backlog();
  private Map<String, Uuid> topics = Map.of(); // by name, with their ids, as it began
  private LearnedTopic learned = new LearnedTopic(Uuid.ZERO_UUID, 0, 0);
  private Instant partitionsChecked;
  private Instant latest; // when an example came last
  private @Nullable End failed; // while a window was trained on

  /** How a session ended. */
  sealed interface End {
    record Stopped() implements End {}

    /** Somebody else has opened the model's transactional id, or has the right to. */
    record Fenced() implements End {}

    /** Somebody must fix something first. */
    record Halted(TroubleKind kind, String reason) implements End {}

    /** A new session may succeed. */
    record Failed(String reason) implements End {}
  }

  /** What observes a session from outside, and stops it. */
  record Watch(ModelStatus status, ModelMetrics metrics, StopSignal stop, InstantSource time) {}

  ModelSession(
      ModelSettings model,
      KafkaAccess kafka,
      BooleanSupplier ownership,
      Publisher publisher,
      ExampleLog log,
      Watch watch) {
    this.model = model;
    this.kafka = kafka;
    this.ownership = ownership;
    this.publisher = publisher;
    this.log = log;
    this.watch = watch;
    core = new TrainerCore(model, new SingleObjectFraming(kafka.schemas()));
    training = new WindowTraining(model.name());
    partitionsChecked = watch.time().instant();
    latest = partitionsChecked;
  }

  /**
   * Trains until it ends.
   *
   * @throws HaltException if somebody must fix something first
   * @throws io.holdfast.schemas.settings.SettingsException if the settings do not fit the records
   *     or the model
   * @throws org.apache.kafka.common.KafkaException if Kafka cannot be used now
   */
  End run() {
    try (training) {
      return trained();
    }
  }

  private End trained() {
    // First of all: now no earlier trainer of the model can commit anything. Only then the question
    // whose model it is: whoever gets it later opens later, and fences this.
    watch.status().enter(new ModelStatus.Phase.Starting());
    End end = endOf(publisher.open());
    if (end == null && !ownership.getAsBoolean()) {
      end = new End.Fenced();
    }
    if (end == null) {
      end = restore();
    }
    while (end == null) {
      end = step();
    }
    return end;
  }

  private @Nullable End restore() {
    topics = kafka.topicIds(Set.of(model.topics().examples(), publisher.note().topic()));
    Ledger ledger = kafka.readLedger(model.name());
    List<ModelManifest> versions = ledger.versions(model.name());
    Standing standing = standing(ledger);
    ResumePlan plan = null;
    if (standing != null) {
      plan = resume(standing, versions);
    } else if (versions.isEmpty()) {
      checkUntouched();
      End end = begin();
      if (end != null) {
        return end;
      }
    } else {
      throw new HaltException(
          TroubleKind.VERSION,
          "Model %s: the model topic holds %d versions but no head that names one that can be"
              + " verified: set a head, or give the model a new name.",
          model.name(),
          versions.size());
    }
    AutoPolicy.withoutEffect(model).ifPresent(it -> LOG.warn("Model {}: {}", model.name(), it));
    log.begin(core.progress());
    watch.status().serves(core.serving().number());
    watch.status().enter(new ModelStatus.Phase.Learning());
    if (plan != null && plan.another()) {
      sayAnother();
    }
    LOG.info(
        "Model {} learns on from version {}, window {}, with {} rows remembered",
        model.name(),
        core.tip().number(),
        core.progress().window() + 1,
        core.memoryRows());
    return null;
  }

  private @Nullable Standing standing(Ledger ledger) {
    try {
      return Standing.of(ledger, model.name());
    } catch (LedgerException e) {
      throw new HaltException(
          TroubleKind.VERSION,
          "Model %s: the version that training grows from cannot be verified (%s): roll back to one"
              + " that can, with 'holdfast models rollback'.",
          model.name(),
          e.getMessage());
    }
  }

  private void checkUntouched() {
    if (!log.committed().isEmpty()) {
      throw new HaltException(
          TroubleKind.STOPPED,
          "Model %s: the model topic holds no version of it, but group %s has committed offsets of"
              + " topic %s: delete these offsets to learn from the beginning.",
          model.name(),
          ModelLoop.groupOf(model),
          model.topics().examples());
    }
  }

  private ResumePlan resume(Standing standing, List<ModelManifest> versions) {
    ResumePlan plan = ResumePlan.of(model, versions, log.state(examples(), publisher.note()));
    learned = plan.topic();
    log.forget(ForgottenKeys.of(Retrained.rows(standing.tip().manifest()), examples()));
    core.resume(standing, versions, plan.progress());
    core.remember(plan.replay(), log::readAgain);
    return plan;
  }

  private Uuid examples() {
    Uuid id = topics.get(model.topics().examples());
    if (id == null) {
      throw new HaltException(
          TroubleKind.TOPIC,
          "Model %s: there is no topic %s: create it with 'holdfast topics create'.",
          model.name(),
          model.topics().examples());
    }
    return id;
  }

  /** A trouble until the first window of the new topic is learned from. */
  private void sayAnother() {
    String sentence =
        Sentence.of(
            "topic %s was deleted and made anew after window %d: it is learned from its beginning",
            model.topics().examples(), core.progress().window());
    LOG.warn("Model {}: {}", model.name(), sentence);
    watch.status().begin(TroubleKind.TOPIC, sentence);
  }

  /** Decisions belong to the topics that the session began with. */
  private @Nullable End topicMadeAnew() {
    Map<String, Uuid> now = kafka.topicIds(topics.keySet());
    for (Map.Entry<String, Uuid> topic : topics.entrySet()) {
      if (!topic.getValue().equals(now.get(topic.getKey()))) {
        return new End.Failed("topic " + topic.getKey() + " was deleted or made anew");
      }
    }
    return null;
  }

  private @Nullable End begin() {
    Schema schema = awaitSchema();
    if (schema == null) {
      return new End.Stopped();
    }
    learned = new LearnedTopic(examples(), 0, 0);
    TrainerEvent.Begun begun = core.begin(schema, watch.time());
    RecordLayout.leftOut(model, schema)
        .forEach(note -> LOG.warn("Model {}: fields are {}", model.name(), note));
    End end = endOf(publisher.publish(begun));
    if (end == null) {
      core.apply(begun);
      watch.metrics().begun();
    }
    return end;
  }

  /** The newest of the records' schemas that fits the settings; null when it is to stop. */
  private @Nullable Schema awaitSchema() {
    String records = model.topics().records();
    List<Schema> refused = null;
    while (true) {
      List<Schema> known = kafka.recordSchemas(records);
      for (Schema schema : known) {
        if (SchemaFit.fits(model, schema)) {
          watch.status().end(TroubleKind.SCHEMA);
          return schema;
        }
      }
      if (!known.equals(refused)) {
        refused = known;
        watch.status().enter(new ModelStatus.Phase.WaitingForSchema());
        if (known.isEmpty()) {
          LOG.info("Model {} waits for a schema of the records in topic {}", model.name(), records);
        } else {
          watch
              .status()
              .begin(
                  TroubleKind.SCHEMA,
                  String.join("; ", SchemaFit.settingsProblems(model, known))
                      + ": register a schema that fits, or mend the settings");
        }
      }
      if (watch.stop().await(SCHEMA_WAIT)) {
        return null;
      }
    }
  }

  private @Nullable End step() {
    if (watch.stop().given()) {
      return new End.Stopped();
    }
    if (decided.isEmpty()) {
      log.poll();
    } else {
      log.readOn();
    }
    End end = null;
    boolean none = true;
    for (var example = log.next(); example != null && end == null; example = log.next()) {
      none = false;
      end = learn(example);
    }
    if (end == null && none) {
      end = concludeWhatIsFull();
    }
    if (end == null && (none || backlog.overdue())) {
      end = publishDecided();
    }
    if (end != null) {
      return end;
    }
    Instant now = watch.time().instant();
    if (now.isAfter(partitionsChecked.plus(PARTITION_CHECK))) {
      partitionsChecked = now;
      end = topicMadeAnew();
      if (end == null) {
        log.adoptNewPartitions();
      }
    }
    return end;
  }

  private @Nullable End learn(ConsumerRecord<byte[], byte[]> example) {
    latest = watch.time().instant();
    long written = ExampleTime.of(example);
    End end = null;
    Optional<Window> before = core.next(written);
    while (before.isPresent() && end == null) {
      end = conclude(before.get());
      before = core.next(written);
    }
    if (end == null) {
      feed(example);
      end = serveConstant();
    }
    Optional<Window> window = core.completeWindow();
    if (end == null && window.isPresent()) {
      end = conclude(window.get());
    }
    return end;
  }

  /** Before the first window is full, a constant serves. */
  private @Nullable End serveConstant() {
    TrainerEvent.Provisional constant = core.provisional(watch.time()).orElse(null);
    if (constant == null) {
      return null;
    }
    End end = endOf(publisher.publish(constant));
    if (end == null) {
      core.apply(constant);
      watch.status().serves(core.serving().number());
      watch.metrics().begun();
      LOG.atInfo()
          .addKeyValue("version", constant.version().version().number())
          .log(
              "Model {}, version {}: the constant of the first {} labels, until the first window is"
                  + " full",
              model.name(),
              constant.version().version().number(),
              constant.rows());
    }
    return end;
  }

  /**
   * Where nothing has come for a while, a full window does not wait for the next example: that will
   * have been written so much later that the window ends here by the log, too.
   */
  private @Nullable End concludeWhatIsFull() {
    Duration quiet = model.window().minInterval().plus(model.window().idle());
    Optional<Window> full = core.fullWindow();
    return full.isPresent()
            && log.waiting() == 0
            && !watch.time().instant().isBefore(latest.plus(quiet))
        ? conclude(full.get())
        : null;
  }

  private void feed(ConsumerRecord<byte[], byte[]> example) {
    switch (ExampleReader.read(example)) {
      case ExampleReader.Reading.Row row ->
          core.add(row.row())
              .ifPresent(refusal -> deadLetters.add(new DeadLetter(example, refusal)));
      case ExampleReader.Reading.Unreadable unreadable -> {
        core.refuse(unreadable.position(), unreadable.refusal());
        deadLetters.add(new DeadLetter(example, unreadable.refusal()));
      }
    }
  }

  /** What is applied and not published is lost if the session fails, and redone by the next one. */
  private @Nullable End conclude(Window window) {
    WindowSpan span = WindowSpan.of(model.name(), window);
    TrainerEvent.Concluded concluded =
        training.decide(core, window, watch.time(), this::publishAndReadOn);
    WindowSpan.end(span, concluded);
    if (failed != null) {
      return failed;
    }
    if (concluded == null || watch.stop().given()) {
      return new End.Stopped();
    }
    core.apply(concluded);
    core.takeNotes().forEach(note -> LOG.warn("Model {}: {}", model.name(), note));
    if (decided.isEmpty()) {
      backlog.begin();
    }
    decided.add(new Conclusion(concluded, deadLetters));
    deadLetters.clear();
    boolean waits = backlog.waits(log.waiting(), window.rows().size());
    return waits ? null : publishDecided();
  }

  /** While a window is trained on, those before it are published. */
  private void publishAndReadOn() {
    if (failed == null) {
      failed = publishDecided();
    }
    log.readOn();
  }

  private @Nullable End publishDecided() {
    if (decided.isEmpty()) {
      return null;
    }
    backlog.publishing();
    End end = topicMadeAnew();
    if (end == null) {
      end = endOf(publisher.publish(decided, learned));
    }
    backlog.published();
    if (end == null) {
      watch.status().end(TroubleKind.TOPIC);
      watch.status().serves(core.serving().number());
      for (Conclusion conclusion : decided) {
        TrainerEvent.Concluded event = conclusion.event();
        watch.metrics().concluded(event, watch.time().millis());
        watch.status().concluded(event.report());
        LOG.atInfo()
            .addKeyValue("version", core.serving().number())
            .addKeyValue("window", event.window().number())
            .log(
                "Model {}, window {}, {} rows: {}",
                model.name(),
                event.window().number(),
                event.window().rows().size(),
                event.report().getDecision());
      }
      decided.clear();
    }
    return end;
  }

  private @Nullable End endOf(Publisher.Result result) {
    return switch (result) {
      case Publisher.Result.Committed committed -> null;
      case Publisher.Result.Fenced fenced -> new End.Fenced();
      case Publisher.Result.Failed failed -> new End.Failed(kafka.explain(failed.cause()));
    };
  }
}
