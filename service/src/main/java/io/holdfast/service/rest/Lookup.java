package io.holdfast.service.rest;

import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.Sentence;
import io.holdfast.service.model.ServedModel;
import io.holdfast.service.model.ServedModels;
import java.util.stream.Collectors;

/** A model by the name in a path, how many of something, or the answer that this cannot be. */
final class Lookup {
  private static final int MAX_LIMIT = 1_000;

  private Lookup() {}

  static int limit(int limit) {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new ProblemException(
          ProblemKind.BAD_REQUEST, "limit must be 1 to " + MAX_LIMIT + ": " + limit);
    }
    return limit;
  }

  static ServedModel model(ServedModels models, String name) {
    return models
        .find(name)
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemKind.NO_SUCH_MODEL,
                    Sentence.of(
                        "there is no model %s; the configuration has %s",
                        name,
                        models.all().stream()
                            .map(model -> model.settings().name())
                            .collect(Collectors.joining(", ")))));
  }
}
