package io.holdfast.service.letters;

import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.framing.TopicFramings;
import io.holdfast.schemas.log.Letter;
import io.holdfast.schemas.log.Letters;
import io.holdfast.schemas.log.Redrive;
import io.holdfast.schemas.log.Redrive.Sent;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.ClientSettings;
import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import io.holdfast.schemas.topic.TopicException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;

/** Reads a model's topic of dead letters anew for each request. Thread-safe. */
public final class TopicLetters implements LetterActions {
  private final Settings settings;
  private final TopicFramings framings;

  /** A topic may be long: one is read at a time. */
  private final Semaphore turn = new Semaphore(1);

  /** With the framings of records and labels, by which letters are decoded for people. */
  public TopicLetters(Settings settings, TopicFramings framings) {
    this.settings = settings;
    this.framings = framings;
  }

  @Override
  public List<LetterView> list(String model, Which which, int limit) {
    Deque<Letter> newest = new ArrayDeque<>();
    // The letter's own time: a backfill's newest letters are of old messages.
    Comparator<Letter> byTime = Comparator.comparingLong(letter -> letter.record().timestamp());
    Predicate<Letter> wanted = wanted(which);
    inTurn(
        () ->
            letters(model)
                .forEachLeft(
                    letter -> {
                      if (wanted.test(letter)) {
                        newest.addLast(letter);
                      }
                      if (newest.size() > 2 * limit) { // of each partition the newest stay
                        newest.removeFirst();
                      }
                    }));
    return newest.stream()
        .sorted(byTime.reversed())
        .limit(limit)
        .map(letter -> view(letter, settings.model(model)))
        .toList();
  }

  private LetterView view(Letter letter, ModelSettings model) {
    boolean label = letter.of().equals(Subject.LABEL.label());
    return LetterView.of(letter, label ? framings.labels(model) : framings.records(model));
  }

  @Override
  public Sent redrive(String model, Which which, Redrive.Cause cause, boolean dryRun) {
    AtomicReference<Sent> sent = new AtomicReference<>(new Sent(0, 0));
    inTurn(() -> sent.set(Redrive.run(settings, model, wanted(which), cause, dryRun)));
    return sent.get();
  }

  private static Predicate<Letter> wanted(Which which) {
    return letter ->
        (which.reason() == null || which.reason().equals(letter.reason()))
            && (which.at() == null || which.at().equals(letter.place()));
  }

  private Letters letters(String model) {
    return Letters.of(settings.kafka(), settings.model(model).topics().deadLetters());
  }

  private void inTurn(Runnable work) {
    if (!turn.tryAcquire()) {
      throw new ProblemException(
          ProblemKind.TOO_SLOW, "somebody else reads dead letters just now: try again in a moment");
    }
    try {
      work.run();
    } catch (KafkaException e) {
      throw new TopicException(
          "dead letters cannot be read: " + ClientSettings.explain(settings.kafka(), e), e);
    } finally {
      turn.release();
    }
  }
}
