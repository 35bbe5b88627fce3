package io.holdfast.faults;

import java.time.Duration;

/** What may happen to a part of a deployment, and how that ends. Both may be done twice. */
public enum Fault {
  SCORER_KILLED(Part.SCORER, "SIGKILL of a scorer", 100),
  SCORER_STOPPED(Part.SCORER, "SIGTERM of one scorer after the other", 30),
  SCORER_FROZEN(Part.SCORER, "a scorer stopped for longer than its session, then woken", 10),
  STATE_LOST(Part.SCORER, "SIGKILL of a scorer and loss of its state directory", 10),
  STATE_DELETED(Part.SCORER, "the state directory deleted under a scorer", 10),
  SCORER_AT_LIMIT(Part.SCORER, "a scorer that can open no file and no connection", 10),
  SCORER_EXHAUSTED(Part.SCORER, "a scorer whose heap is full", 10),
  SCORER_SET_BACK(Part.SCORER, "the clock of a scorer set back by an hour, then right again", 10),
  TRAINER_KILLED(Part.TRAINER, "SIGKILL of a trainer", 100),
  TRAINER_STOPPED(Part.TRAINER, "SIGTERM of a trainer", 10),
  TRAINER_FROZEN(Part.TRAINER, "a trainer that wakes after its successor took over", 10),
  TRAINER_AT_LIMIT(Part.TRAINER, "a trainer that can open no file and no connection", 10),
  TRAINER_EXHAUSTED(Part.TRAINER, "a trainer whose heap is full", 10),
  BROKER_KILLED(Part.BROKER, "SIGKILL of a broker", 10),
  BROKER_DOWN(Part.BROKER, "a broker down for 30 s", 10),
  BROKER_STOPPED(Part.BROKER, "SIGTERM of a broker", 10),
  BROKER_FROZEN(Part.BROKER, "a broker stopped, then woken", 10),
  LEADER_KILLED(Part.BROKER, "SIGKILL of the leader of a partition of scores", 10),
  CONTROLLER_KILLED(Part.BROKER, "SIGKILL of the active controller", 10),
  NETWORK_CUT(Part.NETWORK, "the network cut", 10),
  NETWORK_SILENT(Part.NETWORK, "the network silent, its connections open", 10),
  NETWORK_LATE(Part.NETWORK, "500 ms of latency each way", 10),
  NETWORK_RESETS(Part.NETWORK, "1 % of connections reset each second", 10),
  NETWORK_NARROW(Part.NETWORK, "1 Mbit/s for all clients together", 10),
  OFFSETS_LOST(Part.TOPICS, "committed offsets of all groups deleted, as if expired", 10),
  JOIN_SET_BACK(Part.TOPICS, "the join's offsets set back to the beginning by an operator", 10),
  PARTITIONS_ADDED(Part.TOPICS, "a partition more for every topic of a model", 5),
  MODELS_COMPACTED(Part.TOPICS, "the model topic compacted while a scorer and a trainer start", 20),
  HEADS_DELETED(Part.TOPICS, "the heads deleted by tombstones, compacted, all started again", 5);

  /** What is struck. */
  public enum Part {
    SCORER,
    TRAINER,
    BROKER,
    NETWORK,
    TOPICS;

    /** How many of them there are. */
    public int count(Deployment.Shape shape) {
      return switch (this) {
        case SCORER -> shape.scorers();
        case TRAINER -> shape.trainers();
        case BROKER, NETWORK -> shape.brokers();
        case TOPICS -> 1;
      };
    }
  }

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);
  private static final Duration MOMENT = Duration.ofSeconds(3);

  /** Longer than the session of a scorer or trainer. */
  static final Duration OUTLASTING = Duration.ofSeconds(10);

  private static final long LATENCY = 500;
  private static final long MEGABIT = 125_000;
  private static final double SHARE = 0.01;

  private final Part part;
  private final String text;
  private final int times;

  Fault(Part part, String text, int times) {
    this.part = part;
    this.text = text;
    this.times = times;
  }

  public Part part() {
    return part;
  }

  /** In words. */
  public String text() {
    return text;
  }

  /** How often a long run injects it. */
  public int times() {
    return times;
  }

  /** Whether the part has gone, and is to come back as soon as it can. */
  public boolean kills() {
    return name().endsWith("_KILLED")
        || name().endsWith("_STOPPED")
        || name().endsWith("_EXHAUSTED")
        || part == Part.TOPICS
        || this == STATE_LOST;
  }

  /**
   * How long it lasts: longer than a session, or than what is open is enough for, where it must.
   */
  public Duration lasts() {
    boolean outlasts = name().endsWith("_FROZEN") || name().endsWith("_AT_LIMIT");
    return this == BROKER_DOWN ? HALF_A_MINUTE : outlasts ? OUTLASTING : MOMENT;
  }

  /** Whether all goes on while it lasts. */
  public boolean isBorne() {
    return name().endsWith("_AT_LIMIT") || name().endsWith("_SET_BACK") || this == STATE_DELETED;
  }

  /** Whether it is known by the brokers' state alone which of them it strikes. */
  public boolean needsCluster() {
    return this == LEADER_KILLED || this == CONTROLLER_KILLED;
  }

  /** It happens to one of the parts. */
  public void begin(Deployment at, int which) {
    switch (this) {
      case SCORER_KILLED -> at.scorers().end(which, Node::kill);
      case SCORER_STOPPED -> at.scorers().end(which, Node::stop);
      case SCORER_FROZEN -> at.scorers().node(which).freeze();
      case STATE_LOST -> {
        at.scorers().end(which, Node::kill);
        at.loseState(which);
      }
      case STATE_DELETED -> at.loseState(which);
      case SCORER_AT_LIMIT -> at.scorers().node(which).denyDescriptors();
      case SCORER_EXHAUSTED -> at.scorers().end(which, Node::exhaustMemory);
      case TRAINER_EXHAUSTED -> at.trainers().end(which, Node::exhaustMemory);
      case TRAINER_AT_LIMIT -> at.trainers().node(which).denyDescriptors();
      case SCORER_SET_BACK -> at.scorers().node(which).setClock(HOUR.negated());
      case TRAINER_KILLED -> at.trainers().end(which, Node::kill);
      case TRAINER_STOPPED -> at.trainers().end(which, Node::stop);
      case TRAINER_FROZEN -> at.trainers().node(which).freeze();
      case BROKER_KILLED, BROKER_DOWN -> at.brokers().node(which).kill();
      case BROKER_STOPPED -> at.brokers().node(which).stop();
      case BROKER_FROZEN -> at.brokers().node(which).freeze();
      case LEADER_KILLED ->
          at.brokers().node(at.brokers().leader(at.shape().names().getFirst() + ".scores")).kill();
      case CONTROLLER_KILLED -> at.brokers().node(at.brokers().controller()).kill();
      case NETWORK_CUT -> at.networks(Network::cut);
      case NETWORK_SILENT -> at.networks(Network::silence);
      case NETWORK_LATE -> at.networks(network -> network.delay(LATENCY));
      case NETWORK_RESETS -> at.networks(network -> network.reset(SHARE));
      case NETWORK_NARROW -> at.networks(network -> network.narrow(MEGABIT));
      case OFFSETS_LOST -> {
        at.scorers().endAll(Node::stop);
        at.trainers().endAll(Node::stop);
        Operator.forgetOffsets(at);
      }
      case JOIN_SET_BACK -> {
        at.scorers().endAll(Node::stop);
        Operator.setJoinBack(at);
      }
      case PARTITIONS_ADDED -> Operator.addPartitions(at);
      case HEADS_DELETED -> {
        at.scorers().endAll(Node::stop);
        at.trainers().endAll(Node::stop);
        Operator.deleteHeads(at);
      }
      case MODELS_COMPACTED -> {
        Operator.compactModels(at);
        at.scorers().end(0, Node::kill);
        at.trainers().end(0, Node::kill);
      }
    }
  }

  /** It is over; what has ended is started again. */
  public void end(Deployment at, int which) {
    switch (part) {
      case SCORER -> mend(at.scorers(), which);
      case TRAINER -> mend(at.trainers(), which);
      case BROKER -> {
        for (int broker = 0; broker < at.brokers().size(); broker++) {
          at.brokers().node(broker).thaw();
        }
        at.brokers().restartEnded();
      }
      case NETWORK -> at.networks(Network::mend);
      case TOPICS -> {
        at.scorers().beginAll();
        at.trainers().beginAll();
      }
    }
  }

  private static void mend(Fleet fleet, int which) {
    fleet.node(which).thaw();
    fleet.node(which).allowDescriptors();
    fleet.node(which).setClock(Duration.ZERO);
    fleet.begin(which);
  }
}
