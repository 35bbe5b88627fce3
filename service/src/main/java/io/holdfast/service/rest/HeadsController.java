package io.holdfast.service.rest;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.service.head.HeadActions;
import io.holdfast.service.model.ServedModel;
import io.holdfast.service.model.ServedModels;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The heads of a model: their history, and the actions that write a new one. Thread-safe.
 *
 * <p>Actions are for programs and need the setting {@code holdfast.service.headActions}: the port
 * asks nobody who they are. A web page cannot be their author: a body must be JSON, which no form
 * sends, and a browser names the page's origin with every POST, which is refused whatever it is.
 */
@Controller("/api/models")
@ExecuteOn(TaskExecutors.BLOCKING)
public final class HeadsController {
  private static final String ANONYMOUS = "REST";

  private final ServedModels models;
  private final HeadActions actions;

  HeadsController(ServedModels models, HeadActions actions) {
    this.models = models;
    this.actions = actions;
  }

  /** The model's heads, newest first. */
  @Get("/{name}/heads")
  public List<HeadView> heads(String name, @QueryValue(defaultValue = "100") int limit) {
    ServedModel model = Lookup.model(models, name);
    return models.heads(model.settings().name()).stream()
        .limit(Lookup.limit(limit))
        .map(HeadView::of)
        .toList();
  }

  /** That version serves again, and training grows from it. */
  @Post("/{name}/rollback")
  @Consumes(MediaType.APPLICATION_JSON)
  public HeadView rollback(
      String name, @Body byte[] body, @Nullable @Header(HttpHeaders.ORIGIN) String origin) {
    return act(name, body, origin, asked -> new HeadChange.RolledBack(version(asked)));
  }

  /** That version serves until it is unpinned. */
  @Post("/{name}/pin")
  @Consumes(MediaType.APPLICATION_JSON)
  public HeadView pin(
      String name, @Body byte[] body, @Nullable @Header(HttpHeaders.ORIGIN) String origin) {
    return act(name, body, origin, asked -> new HeadChange.Pinned(version(asked)));
  }

  /** Training moves what serves again. */
  @Post("/{name}/unpin")
  @Consumes(MediaType.APPLICATION_JSON)
  public HeadView unpin(
      String name, @Body byte[] body, @Nullable @Header(HttpHeaders.ORIGIN) String origin) {
    return act(
        name,
        body,
        origin,
        asked -> {
          if (asked.version() != null) {
            throw new BadRequestException("unpin takes no version: what serves is pinned, or not");
          }
          return new HeadChange.Unpinned();
        });
  }

  /** That version scores beside the one that serves; without one, none does. */
  @Post("/{name}/shadow")
  @Consumes(MediaType.APPLICATION_JSON)
  public HeadView shadow(
      String name, @Body byte[] body, @Nullable @Header(HttpHeaders.ORIGIN) String origin) {
    return act(
        name,
        body,
        origin,
        asked ->
            asked.version() == null
                ? new HeadChange.Unshadowed()
                : new HeadChange.Shadowed(asked.version()));
  }

  /** That version serves; without one, that which training grows from. */
  @Post("/{name}/promote")
  @Consumes(MediaType.APPLICATION_JSON)
  public HeadView promote(
      String name, @Body byte[] body, @Nullable @Header(HttpHeaders.ORIGIN) String origin) {
    return act(
        name,
        body,
        origin,
        asked -> new HeadChange.Promoted(asked.version() == null ? tip(name) : asked.version()));
  }

  /** The leaf values of that gamma of the ladder score. */
  @Post("/{name}/rung")
  @Consumes(MediaType.APPLICATION_JSON)
  public HeadView rung(
      String name, @Body byte[] body, @Nullable @Header(HttpHeaders.ORIGIN) String origin) {
    return act(
        name,
        body,
        origin,
        (model, asked, by) -> {
          Double gamma = asked.gamma();
          if (gamma == null || asked.version() != null) {
            throw new BadRequestException(
                "name the gamma of the ladder that is to score, such as {\"gamma\": 7}, and no"
                    + " version");
          }
          return actions.climb(model, gamma, by, asked.why());
        });
  }

  /** What a request asks for. */
  @FunctionalInterface
  private interface Meaning {
    HeadChange of(HeadRequest asked) throws BadRequestException;
  }

  /** How it is done. */
  @FunctionalInterface
  private interface Deed {
    ModelHead done(String model, HeadRequest asked, String by)
        throws BadRequestException, LedgerException;
  }

  private HeadView act(String name, byte[] body, @Nullable String origin, Meaning meaning) {
    Deed deed =
        (model, asked, by) -> {
          if (asked.gamma() != null) {
            throw new BadRequestException("gamma is for the action rung alone: leave it out");
          }
          return actions.apply(model, meaning.of(asked), by, asked.why());
        };
    return act(name, body, origin, deed);
  }

  private HeadView act(String name, byte[] body, @Nullable String origin, Deed deed) {
    String model = Lookup.model(models, name).settings().name();
    if (!actions.enabled()) {
      throw new HttpStatusException(
          HttpStatus.FORBIDDEN,
          "this service takes no head actions: set holdfast.service.headActions to true, or use"
              + " holdfast models on the command line");
    }
    if (origin != null) {
      throw new HttpStatusException(
          HttpStatus.FORBIDDEN,
          "head actions are for programs: a request with an Origin comes from a web page");
    }
    try {
      HeadRequest asked = HeadRequest.parse(body);
      String by = asked.by().isBlank() ? ANONYMOUS : asked.by();
      return HeadView.of(deed.done(model, asked, by));
    } catch (BadRequestException e) {
      throw new HttpStatusException(HttpStatus.BAD_REQUEST, "" + e.getMessage());
    } catch (LedgerException e) {
      throw new HttpStatusException(HttpStatus.CONFLICT, "" + e.getMessage());
    } catch (TopicException e) {
      throw new HttpStatusException(HttpStatus.SERVICE_UNAVAILABLE, "" + e.getMessage());
    }
  }

  private static long version(HeadRequest asked) throws BadRequestException {
    if (asked.version() == null) {
      throw new BadRequestException("name the version, such as {\"version\": 12}");
    }
    return asked.version();
  }

  private long tip(String name) throws BadRequestException {
    ServedModel.Serving serving = Lookup.model(models, name).serving();
    if (serving == null) {
      throw new BadRequestException("model " + name + " has no version yet that could be promoted");
    }
    ModelHead head = serving.head();
    return HeadRules.tipVersion(head);
  }
}
