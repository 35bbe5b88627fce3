package io.holdfast.service;

import io.holdfast.schemas.log.Redrive;
import io.holdfast.service.letters.LetterActions;
import io.holdfast.service.letters.LetterView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes down what was to be sent in again. */
final class StandInLetters implements LetterActions {
  final List<String> redriven = new ArrayList<>();

  @Override
  public List<LetterView> list(String model, Which which, int limit) {
    return model.equals("rides")
        ? List.of(letter(3, "{\"temperature\":25}"), letter(2, null))
        : List.of();
  }

  private static LetterView letter(int offset, @Nullable String decoded) {
    return new LetterView(
        "0:" + offset,
        "record",
        decoded == null ? "TRUNCATED" : "BAD_LABEL",
        "the count is below 0",
        new LetterView.From("rides.records", 0, 4_000 + offset),
        Instant.EPOCH,
        Instant.EPOCH.plusSeconds(3_600),
        "ride-" + offset,
        Map.of(),
        "c301aa",
        decoded);
  }

  @Override
  public Redrive.Sent redrive(String model, Which which, Redrive.Cause cause, boolean dryRun) {
    redriven.add(String.join(" ", model, which.reason(), which.at(), "" + dryRun));
    return new Redrive.Sent(3, 0);
  }
}
