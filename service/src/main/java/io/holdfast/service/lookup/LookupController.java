package io.holdfast.service.lookup;

import io.holdfast.http.Problem;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.service.request.AskedVersions;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;

/** A record of the stream by its key, and its label. Thread-safe. */
@ApiResponse(
    responseCode = "4XX",
    description = "An error; those of 500 and above are alike",
    content =
        @Content(
            mediaType = "application/problem+json",
            schema = @Schema(implementation = Problem.class)))
@Controller("/api/v1/models")
@Requires(beans = RecordLookup.class)
@ExecuteOn(TaskExecutors.BLOCKING)
public final class LookupController {
  private static final int MOST_CHARACTERS = 1_000;

  private final AskedVersions asked;
  private final RecordLookup lookup;

  LookupController(AskedVersions asked, RecordLookup lookup) {
    this.asked = asked;
    this.lookup = lookup;
  }

  /** The newest record of a key among the newest 20,000 of the topic, and its label. */
  @Get("/{name}/lookup")
  public RecordLookup.Found lookup(String name, @QueryValue String key) {
    String model = asked.model(name).settings().name();
    if (key.isEmpty() || key.length() > MOST_CHARACTERS) {
      throw new ProblemException(
          ProblemKind.BAD_REQUEST,
          "key must be a text of 1 to " + MOST_CHARACTERS + " characters: it has " + key.length());
    }
    try {
      return lookup.find(model, key);
    } catch (TopicException e) {
      throw new ProblemException(ProblemKind.KAFKA_UNAVAILABLE, "" + e.getMessage());
    }
  }
}
