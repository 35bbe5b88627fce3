package io.holdfast.service.heads;

import io.holdfast.http.Permitted;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadMove;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.settings.Security.Role;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.service.access.Audit;
import io.holdfast.service.model.ServedModel;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.ops.AnswersProblems;
import io.holdfast.service.request.AskedVersions;
import io.holdfast.service.request.Limit;
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
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The heads of a model: their history, and the actions that write a new one. Thread-safe.
 *
 * <p>An action needs an operator, who says why; the history has both.
 */
@AnswersProblems
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

  /** Changes the head, or tells what would become of it. */
  @Post("/{name}/{action:rollback|pin|unpin|shadow|promote|rung}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Permitted(Role.OPERATOR)
  public MoveView act(
      String name,
      @Parameter(
              schema =
                  @Schema(
                      allowableValues = {"rollback", "pin", "unpin", "shadow", "promote", "rung"}))
          String action,
      @QueryValue(defaultValue = "false") boolean dryRun,
      @Body @RequestBody(content = @Content(schema = @Schema(implementation = HeadRequest.class)))
          byte[] body,
      @Parameter(hidden = true) Authentication who,
      HttpRequest<?> request) {
    ServedModel model = asked.model(name);
    HeadRequest change = HeadRequest.parse(body);
    if (change.why().isEmpty() && !dryRun) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY, "say why, for the history, such as \"why\": \"audit\"");
    }
    String by = Audit.name(who);
    try {
      HeadMove move =
          action.equals("rung")
              ? actions.climb(name, rung(change), by, change.why(), dryRun)
              : actions.apply(name, change(action, change, model), by, change.why(), dryRun);
      if (!dryRun) {
        String done = action + " (" + String.join("; ", move.changes()) + ")";
        Audit.done(who, request, name, done, change.why());
      }
      return MoveView.of(move, dryRun);
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
    if (asked.promoteError() != null && (version == null || !action.equals("shadow"))) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY,
          "promoteWhen is for the action shadow with a version alone: leave it out");
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
          version == null
              ? new HeadChange.Unshadowed()
              : new HeadChange.Shadowed(version, asked.promoteError());
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
