package io.holdfast.service.letters;

import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.log.Letter;
import io.holdfast.schemas.log.Letters;
import io.holdfast.schemas.log.Redriver;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.ClientSettings;
import io.holdfast.schemas.topic.TopicException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;

/** Reads a model's topic of dead letters anew for each request. Thread-safe. */
public final class TopicLetters implements LetterActions {
  private final Settings settings;

  /** A topic may be long: one is read at a time. */
  private final Semaphore turn = new Semaphore(1);

  public TopicLetters(Settings settings) {
    this.settings = settings;
  }

  @Override
  public List<LetterView> list(String model, Which which, int limit) {
    Deque<Letter> newest = new ArrayDeque<>();
    Comparator<Letter> byTime = Comparator.comparingLong(letter -> letter.record().timestamp());
    inTurn(
        () ->
            letters(model)
                .forEachLeft(
                    taking(
                        which,
                        letter -> {
                          newest.addLast(letter);
                          if (newest.size() > 2 * limit) { // of each partition the newest stay
                            newest.removeFirst();
                          }
                        })));
    return newest.stream().sorted(byTime.reversed()).limit(limit).map(LetterView::of).toList();
  }

  @Override
  public Sent redrive(String model, Which which, boolean dryRun) {
    long[] counts = new long[2];
    inTurn(
        () -> {
          Letters letters = letters(model);
          try (Redriver redriver = new Redriver(letters, model, dryRun)) {
            letters.forEachLeft(
                taking(
                    which,
                    letter -> {
                      counts[letter.whole() ? 0 : 1]++;
                      redriver.add(letter);
                    }));
            redriver.flush();
          }
        });
    return new Sent(counts[0], counts[1]);
  }

  private static Consumer<Letter> taking(Which which, Consumer<Letter> taker) {
    return letter -> {
      if ((which.reason() == null || which.reason().equals(letter.reason()))
          && (which.at() == null || which.at().equals(letter.place()))) {
        taker.accept(letter);
      }
    };
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
