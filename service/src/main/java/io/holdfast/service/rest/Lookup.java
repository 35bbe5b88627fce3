package io.holdfast.service.rest;

import io.holdfast.service.model.ServedModel;
import io.holdfast.service.model.ServedModels;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;

/** A model by the name in a path, or the answer that there is none. */
final class Lookup {
  private Lookup() {}

  static ServedModel model(ServedModels models, String name) {
    return models
        .find(name)
        .orElseThrow(
            () ->
                new HttpStatusException(
                    HttpStatus.NOT_FOUND,
                    "there is no model "
                        + name
                        + "; the configuration has "
                        + String.join(
                            ", ",
                            models.all().stream().map(model -> model.settings().name()).toList())));
  }
}
