package io.holdfast.schemas.topic;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;

/**
 * What the service's topologies are called on the broker: an application id is the consumer group,
 * and what transactional ids and internal topics begin with. Stateless.
 */
public final class StreamsNames {
  private StreamsNames() {}

  /** The application id of what scores a model's records. */
  public static String score(Settings settings, ModelSettings model) {
    return settings.service().applicationId() + "-" + model.name() + "-score";
  }

  /** The application id of what joins a model's labels. */
  public static String join(Settings settings, ModelSettings model) {
    return settings.service().applicationId() + "-" + model.name() + "-join";
  }

  /** The store of what waits to be joined. */
  public static String store(String model) {
    return "held-" + model;
  }

  /** The topic that the store is made from again. */
  public static String changelog(Settings settings, ModelSettings model) {
    return join(settings, model) + "-" + store(model.name()) + "-changelog";
  }
}
