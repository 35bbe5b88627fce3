package io.holdfast.service;

import io.holdfast.service.letters.LetterActions;
import io.holdfast.service.letters.LetterView;
import java.util.ArrayList;
import java.util.List;

/** Takes down what was to be sent in again. */
final class StandInLetters implements LetterActions {
  final List<String> redriven = new ArrayList<>();

  @Override
  public List<LetterView> list(String model, Which which, int limit) {
    return List.of();
  }

  @Override
  public Sent redrive(String model, Which which, boolean dryRun) {
    redriven.add(String.join(" ", model, which.reason(), which.at(), "" + dryRun));
    return new Sent(3, 0);
  }
}
