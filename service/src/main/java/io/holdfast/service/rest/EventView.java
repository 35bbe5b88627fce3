package io.holdfast.service.rest;

import io.holdfast.service.heads.HeadView;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What may have changed since the event before: enough to know what to ask for again. */
@Serdeable
public record EventView(boolean alive, boolean ready, List<ModelEvent> models) {

  /**
   * A model as it is.
   *
   * @param state its condition in a word
   * @param level good, warn or bad
   * @param version that serves; null before the first
   * @param head the number of its newest head
   * @param window the newest that was reported
   * @param scored records since the start
   */
  @Serdeable
  public record ModelEvent(
      String name,
      String state,
      String level,
      @Nullable Long version,
      @Nullable Long head,
      @Nullable Long window,
      long scored) {

    static ModelEvent of(ModelView model) {
      ModelView.Serving serving = model.serving();
      HeadView head = model.head();
      return new ModelEvent(
          model.name(),
          model.state().word(),
          model.state().level(),
          serving == null ? null : serving.version(),
          head == null ? null : head.sequence(),
          model.newestWindow(),
          model.counts().scored());
    }
  }
}
