package io.holdfast.service.rest;

import io.holdfast.http.Problem;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.service.model.ServedModel;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.request.AskedVersions;
import io.holdfast.service.request.Limit;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The heads of a model: their history, and the actions that write a new one. Thread-safe.
 *
 * <p>Actions are for programs and need the setting {@code holdfast.service.headActions}: the port
 * asks nobody who they are. A web page cannot be their author: a body must be JSON, which no form
 * sends, and a browser names the page's origin with every POST, which is refused whatever it is.
 */
@ApiResponse(
    responseCode = "4XX",
    description = "An error; those of 500 and above are alike",
    content =
        @Content(
            mediaType = "application/problem+json",
            schema = @Schema(implementation = Problem.class)))
@Controller("/api/v1/models")
@ExecuteOn(TaskExecutors.BLOCKING)
public final class HeadsController {
  private final ServedModels models;
  private final AskedVersions asked;
  private final HeadActions actions;

  HeadsController(ServedModels models, AskedVersions asked, HeadActions actions) {
    this.models = models;
    this.asked = asked;
    this.actions = actions;
  }

  /** The model's heads, newest first. */
  @Get("/{name}/heads")
  public List<HeadView> heads(String name, @QueryValue(defaultValue = "100") int limit) {
    ServedModel model = asked.model(name);
    return models.heads(model.settings().name()).stream()
        .limit(Limit.of(limit))
        .map(HeadView::of)
        .toList();
  }

  /** Changes the head; the new one. */
  @Post("/{name}/{action:rollback|pin|unpin|shadow|promote|rung}")
  @Consumes(MediaType.APPLICATION_JSON)
  public HeadView act(
      String name,
      @Parameter(
              schema =
                  @Schema(
                      allowableValues = {"rollback", "pin", "unpin", "shadow", "promote", "rung"}))
          String action,
      @Body @RequestBody(content = @Content(schema = @Schema(implementation = HeadRequest.class)))
          byte[] body,
      @Parameter(hidden = true) @Nullable @Header(HttpHeaders.ORIGIN) String origin) {
    ServedModel model = asked.model(name);
    if (!actions.enabled()) {
      throw new ProblemException(
          ProblemKind.ACTIONS_OFF,
          "this service takes no head actions: set holdfast.service.headActions to true, or use"
              + " holdfast models on the command line");
    }
    if (origin != null) {
      throw new ProblemException(
          ProblemKind.FROM_A_PAGE,
          "head actions are for programs: a request with an Origin comes from a web page");
    }
    HeadRequest request = HeadRequest.parse(body);
    String by = request.by().isBlank() ? "REST" : request.by();
    try {
      return HeadView.of(
          action.equals("rung")
              ? actions.climb(name, rung(request), by, request.why())
              : actions.apply(name, change(action, request, model), by, request.why()));
    } catch (LedgerException e) {
      throw new ProblemException(ProblemKind.HEAD_REFUSED, "" + e.getMessage());
    } catch (TopicException e) {
      throw new ProblemException(ProblemKind.KAFKA_UNAVAILABLE, "" + e.getMessage());
    }
  }

  /** The gamma whose leaf values are to score. */
  private static double rung(HeadRequest asked) {
    Double gamma = asked.gamma();
    if (gamma == null || asked.version() != null) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY,
          "name the gamma of the ladder that is to score, such as {\"gamma\": 7}, and no version");
    }
    return gamma;
  }

  private static HeadChange change(String action, HeadRequest asked, ServedModel model) {
    Long version = asked.version();
    if (asked.gamma() != null) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY, "gamma is for the action rung alone: leave it out");
    }
    return switch (action) {
      case "rollback" -> new HeadChange.RolledBack(named(version));
      case "pin" -> new HeadChange.Pinned(named(version));
      case "unpin" -> {
        if (version != null) {
          throw new ProblemException(
              ProblemKind.MALFORMED_BODY, "unpin takes no version: what serves is pinned, or not");
        }
        yield new HeadChange.Unpinned();
      }
      case "shadow" ->
          version == null ? new HeadChange.Unshadowed() : new HeadChange.Shadowed(version);
      default -> new HeadChange.Promoted(version == null ? tip(model) : version);
    };
  }

  private static long named(@Nullable Long version) {
    if (version == null) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY, "name the version, such as {\"version\": 12}");
    }
    return version;
  }

  private static long tip(ServedModel model) {
    ServedModel.Serving serving = model.serving();
    if (serving == null) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY,
          "model " + model.settings().name() + " has no version yet that could be promoted");
    }
    return HeadRules.tipVersion(serving.head());
  }
}
