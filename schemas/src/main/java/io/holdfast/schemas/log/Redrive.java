package io.holdfast.schemas.log;

import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.HeadWriter;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.version.LedgerException;
import java.util.function.Predicate;

/**
 * Sends dead letters in again, once the history of the model's head tells of it. Stateless.
 *
 * <p>It is written down first: what cannot be is not done.
 */
public final class Redrive {
  private Redrive() {}

  /**
   * Who sends which and why, for people.
   *
   * @param which such as {@code of TRUNCATED}
   */
  public record Cause(String by, String which, String why) {}

  /**
   * What was sent, or would be.
   *
   * @param tooLarge those that are references to messages elsewhere, which stay
   */
  public record Sent(long sent, long tooLarge) {}

  /** Sends those that are wanted, each once; counts them alone if {@code dryRun}. */
  public static Sent run(
      Settings settings, String model, Predicate<Letter> wanted, Cause cause, boolean dryRun) {
    Letters letters = Letters.of(settings.kafka(), settings.model(model).topics().deadLetters());
    Sent found = pass(letters, model, wanted, true);
    if (dryRun || found.sent() == 0) {
      return found;
    }
    note(settings, model, found.sent(), cause);
    return pass(letters, model, wanted, false);
  }

  private static void note(Settings settings, String model, long count, Cause cause) {
    String note = "sends " + count + " dead letters " + cause.which() + " in again";
    try {
      HeadWriter.apply(
          settings,
          model,
          new HeadChange.Noted(),
          cause.by(),
          cause.why().isBlank() ? note : note + ": " + cause.why(),
          false);
    } catch (LedgerException e) {
      if (e.reason() != LedgerException.Reason.REFUSED) {
        throw new TopicException("dead letters were not sent in again: " + e.getMessage(), e);
      }
      // The model has no head yet, and so no history: the topic of dead letters has the marks.
    }
  }

  private static Sent pass(
      Letters letters, String model, Predicate<Letter> wanted, boolean dryRun) {
    long[] counts = new long[2];
    try (Redriver redriver = new Redriver(letters, model, dryRun)) {
      letters.forEachLeft(
          letter -> {
            if (wanted.test(letter)) {
              counts[letter.whole() ? 0 : 1]++;
              redriver.add(letter);
            }
          });
      redriver.flush();
    }
    return new Sent(counts[0], counts[1]);
  }
}
