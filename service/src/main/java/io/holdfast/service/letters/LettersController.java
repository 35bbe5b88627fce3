package io.holdfast.service.letters;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.http.Permitted;
import io.holdfast.http.Problem;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.log.Redrive;
import io.holdfast.schemas.settings.Security.Role;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.service.access.Audit;
import io.holdfast.service.letters.LetterActions.Which;
import io.holdfast.service.request.AskedVersions;
import io.holdfast.service.request.JsonRecords;
import io.holdfast.service.request.Limit;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A model's dead letters, and sending them in again, which needs an admin. Thread-safe. */
@ApiResponse(
    responseCode = "4XX",
    description = "An error; those of 500 and above are alike",
    content =
        @Content(
            mediaType = "application/problem+json",
            schema = @Schema(implementation = Problem.class)))
@Controller("/api/v1/models/{name}/dead-letters")
@Requires(beans = LetterActions.class)
@ExecuteOn(TaskExecutors.BLOCKING)
public final class LettersController {
  private static final int MOST_CHARACTERS = 1_000;

  private final AskedVersions asked;
  private final LetterActions actions;

  LettersController(AskedVersions asked, LetterActions actions) {
    this.asked = asked;
    this.actions = actions;
  }

  /**
   * Which letters are sent in again: by reason, or the one at a place.
   *
   * @param why for the log and the history of the model's head
   */
  @Serdeable
  public record RedriveRequest(@Nullable String reason, @Nullable String at, String why) {}

  /** What was sent, or would be; those too large are references to messages elsewhere. */
  @Serdeable
  public record RedriveView(boolean dryRun, long sent, long tooLarge) {}

  /** Those that were not sent in again, newest first. */
  @Get
  public List<LetterView> letters(
      String name,
      @Nullable @QueryValue String reason,
      @QueryValue(defaultValue = "100") int limit) {
    String model = asked.model(name).settings().name();
    int most = Limit.of(limit);
    return done(() -> actions.list(model, new Which(reason, null), most));
  }

  /** Sends letters in again, each once, to where they came from; or counts them. */
  @Post("/redrive")
  @Consumes(MediaType.APPLICATION_JSON)
  @Permitted(Role.ADMIN)
  public RedriveView redrive(
      String name,
      @QueryValue(defaultValue = "false") boolean dryRun,
      @Body
          @RequestBody(content = @Content(schema = @Schema(implementation = RedriveRequest.class)))
          byte[] body,
      @Parameter(hidden = true) Authentication who,
      HttpRequest<?> request) {
    String model = asked.model(name).settings().name();
    RedriveRequest wanted = parse(body, dryRun);
    Which which = new Which(wanted.reason(), wanted.at());
    String what = wanted.reason() == null ? "at " + wanted.at() : "of " + wanted.reason();
    var cause = new Redrive.Cause(Audit.name(who), what, wanted.why());
    Redrive.Sent sent = done(() -> actions.redrive(model, which, cause, dryRun));
    if (!dryRun) {
      Audit.done(who, request, model, "redrive " + sent.sent() + " " + what, wanted.why());
    }
    return new RedriveView(dryRun, sent.sent(), sent.tooLarge());
  }

  private static <T> T done(Supplier<T> action) {
    try {
      return action.get();
    } catch (TopicException e) {
      throw new ProblemException(ProblemKind.KAFKA_UNAVAILABLE, "" + e.getMessage());
    }
  }

  private static RedriveRequest parse(byte[] body, boolean dryRun) {
    JsonNode root = JsonRecords.parse(body);
    RedriveRequest request =
        new RedriveRequest(text(root, "reason"), text(root, "at"), "" + text(root, "why"));
    boolean one = (request.reason() == null) != (request.at() == null);
    boolean reasoned = dryRun || (root.hasNonNull("why") && !request.why().isBlank());
    if (!root.isObject() || !one || !reasoned) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY,
          "the body must be a JSON object with a reason or a place, and why, such as {\"reason\":"
              + " \"UNKNOWN_SCHEMA\", \"why\": \"schema registered\"} or {\"at\": \"0:17\", ...}");
    }
    return request;
  }

  private static @Nullable String text(JsonNode root, String name) {
    JsonNode node = root.path(name);
    if (node.isMissingNode() || node.isNull()) {
      return null;
    }
    if (!node.isTextual() || node.asText().length() > MOST_CHARACTERS) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY,
          name + " must be a text of at most " + MOST_CHARACTERS + " characters");
    }
    return node.asText();
  }
}
