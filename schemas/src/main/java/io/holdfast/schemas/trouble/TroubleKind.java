package io.holdfast.schemas.trouble;

import java.util.Locale;

/** What can be wrong with a model that still works. Its label is the name that users see. */
public enum TroubleKind {
  /** The newest versions were refused, several in a row. */
  REFUSED_REPEATEDLY,
  /** What serves loses more than the best constant. */
  WORSE_THAN_CONSTANT,
  /** Records wait to be scored, or examples to be learned from. */
  LAGGING,
  /** A feature is not in the schema of the records that come. */
  FEATURE_ABSENT,
  /** Most values of a categorical feature were never seen in training. */
  UNSEEN_CATEGORIES,
  /** Most values of a feature are numbers that are rounded. */
  NUMBERS_ROUNDED,
  /** Fields of the records' schema cannot be features. */
  FIELDS_LEFT_OUT,
  /** Scores are far beyond all labels that came. */
  SCORES_FAR_BEYOND_LABELS,
  /** Labels wait for their record for longer than they should. */
  LABELS_HELD_BACK,
  /** Event times are ahead of the clock. */
  CLOCK_AHEAD,
  /** Timestamps are in another unit than milliseconds. */
  TIME_UNIT,
  /** Labels come and none can be used. */
  LABELS_UNUSABLE,
  /** No schema of the model's records is known, or one that does not fit; or ours is refused. */
  SCHEMA,
  /** Records wait for a schema that the registry does not give now. */
  REGISTRY,
  /** A topic of the model is missing or not as it must be. */
  TOPIC,
  /** Scoring, joining or learning has ended on an error. */
  STOPPED,
  /** Versions on the model topic cannot be served. */
  VERSION,
  /** Another program scores the same records into the same topic. */
  SCORED_TWICE,
  /** Service and trainer have other settings for the model. */
  SETTINGS_DIFFER,
  /** Kafka refuses or does not answer. */
  KAFKA;

  /**
   * Whether readiness says so. Where it does not, all is served as it should be, and what is seen
   * is for somebody to decide once.
   */
  public boolean degrades() {
    return this != FIELDS_LEFT_OUT;
  }

  /** The name in metrics, status and log: lower case, words parted by hyphens. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
