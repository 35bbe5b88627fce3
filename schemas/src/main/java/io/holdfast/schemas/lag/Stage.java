package io.holdfast.schemas.lag;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.HeadWriter;
import io.holdfast.schemas.topic.StreamsNames;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * A step of one model's way from record to version, which a consumer group does. Immutable.
 *
 * @param topics what the group reads for the model
 * @param members the group whose members do it, where it is not {@code group}
 * @param batch so many records are taken together: fewer of them wait for others, and nothing is
 *     late
 * @param limit how long the oldest may wait before that is a trouble
 */
public record Stage(
    String model,
    Kind kind,
    String group,
    String members,
    List<String> topics,
    int batch,
    Duration limit) {

  /** Which step it is. Its label is the name that users see. */
  public enum Kind {
    /** Records to scores. */
    SCORE,
    /** Records, scores and labels to examples. */
    JOIN,
    /** Examples to versions. */
    TRAIN;

    /** Lower case. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Stage {
    topics = List.copyOf(topics);
  }

  /** Records to be scored by the service. */
  public static Stage score(Settings settings, ModelSettings model) {
    String group = StreamsNames.score(settings, model);
    return ofService(settings, model, Kind.SCORE, group, List.of(model.topics().records()));
  }

  /** What is to be joined by the service. */
  public static Stage join(Settings settings, ModelSettings model) {
    String group = StreamsNames.join(settings, model);
    var topics = List.of(model.topics().labels(), model.topics().join());
    return ofService(settings, model, Kind.JOIN, group, topics);
  }

  private static Stage ofService(
      Settings settings, ModelSettings model, Kind kind, String group, List<String> topics) {
    Duration limit = settings.service().maxLag();
    return new Stage(model.name(), kind, group, group, topics, 1, limit);
  }

  /**
   * Examples to be learned from by a trainer, whose offsets are committed a window at a time, in
   * the transaction that publishes what came of it.
   */
  public static Stage train(Settings settings, ModelSettings model) {
    ModelSettings.Window window = model.window();
    boolean fixed = window.environments() == 1 && !model.update().policy().equals("auto");
    return new Stage(
        model.name(),
        Kind.TRAIN,
        HeadWriter.transactionalId(model.name()),
        settings.trainer().group(),
        List.of(model.topics().examples()),
        fixed ? window.rows() : window.maxRows(),
        settings.trainer().maxLag());
  }

  /** Whether the model has labels in a topic, and so a join. */
  public static boolean joins(ModelSettings model) {
    return model.labels() instanceof Labels.InTopic;
  }
}
