package io.holdfast.service.rest;

import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.service.ops.AnswersProblems;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.sse.Event;
import io.micronaut.json.JsonMapper;
import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.util.retry.Retry;

/**
 * What changes, as server-sent events. Made once for all viewers, from the first on; a viewer that
 * reads slowly misses events and holds up nobody, since each says how things are now. Thread-safe.
 */
@AnswersProblems
@Controller("/api/v1/events")
public final class EventsController {
  /** The property that says how often it is looked whether something changed. */
  public static final String PERIOD = "holdfast.http.event-millis";

  /** Viewers at a time: what each holds is small and bounded, and so must their number be. */
  static final int MOST_VIEWERS = 256;

  /** So often an event comes though nothing changed: it tells a viewer that is gone. */
  private static final Duration ALIVE = Duration.ofSeconds(15);

  private final ModelsController models;
  private final StatusController status;
  private final JsonMapper json;
  private final Flux<String> news;
  private final AtomicInteger viewers = new AtomicInteger();
  private final AtomicReference<@Nullable Disposable> source = new AtomicReference<>();

  EventsController(
      ModelsController models,
      StatusController status,
      JsonMapper json,
      @Property(name = PERIOD, defaultValue = "1000") long periodMillis) {
    this.models = models;
    this.status = status;
    this.json = json;
    Flux<String> looked =
        Flux.interval(Duration.ZERO, Duration.ofMillis(periodMillis))
            .onBackpressureDrop()
            .map(_ -> text());
    this.news =
        Flux.merge(
                looked.distinctUntilChanged(),
                Flux.interval(ALIVE).onBackpressureDrop().map(_ -> text()))
            .retryWhen(Retry.fixedDelay(Long.MAX_VALUE, ALIVE)) // a bug must not end it for good
            .replay(1)
            .autoConnect(1, source::set);
  }

  /** How the service and its models are, first at once and then with each change. */
  @Get
  @Produces(MediaType.TEXT_EVENT_STREAM)
  public Publisher<Event<String>> events() {
    if (viewers.incrementAndGet() > MOST_VIEWERS) {
      viewers.decrementAndGet();
      throw new ProblemException(
          ProblemKind.TOO_MANY_REQUESTS,
          "there are " + MOST_VIEWERS + " viewers of events already: close one");
    }
    return news.onBackpressureLatest().map(Event::of).doFinally(_ -> viewers.decrementAndGet());
  }

  @PreDestroy
  void close() {
    Disposable running = source.get();
    if (running != null) {
      running.dispose();
    }
  }

  private String text() {
    StatusView now = status.status();
    try {
      return json.writeValueAsString(
          new EventView(
              now.alive(),
              now.ready(),
              models.models().stream().map(EventView.ModelEvent::of).toList()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
