package io.holdfast.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.service.ServiceApplication;
import io.holdfast.trainer.runtime.TrainerApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Brokers, scorers and trainers, each a process, and what feeds and watches them. All programs read
 * the topics through {@link Network}s. Owned by one thread.
 */
public final class Deployment implements AutoCloseable {
  /** How long a fault may be felt at most. */
  public static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final int HEAP = 256;

  private final Path folder;
  private final Shape shape;
  private final String common;
  private final Brokers brokers;
  private final Path config;
  private final Settings settings;
  private final Feed feed;
  private final Watch watch;
  private final Fleet scorers;
  private final Fleet trainers;
  private Build scorerBuild;
  private Build trainerBuild;
  private String ofModels = "";
  private int starts;
  private long others;

  /** How many there are of each, and the seed of all that is drawn. */
  public record Shape(int brokers, int scorers, int trainers, int models, long seed) {
    /** The names of the models. */
    public List<String> names() {
      return IntStream.range(0, models).mapToObj(i -> "m" + i).toList();
    }
  }

  /** Starts all of it, and returns when every model has a version of trees and scores by it. */
  public Deployment(Path folder, Shape shape) {
    this(folder, shape, "");
  }

  /** As above, with more of the section {@code holdfast} for all programs, as lines of YAML. */
  public Deployment(Path folder, Shape shape, String common) {
    this(folder, shape, common, Build.current());
  }

  /** As above, with scorers and trainers of another build. */
  Deployment(Path folder, Shape shape, String common, Build build) {
    scorerBuild = build;
    trainerBuild = build;
    this.folder = folder;
    this.shape = shape;
    this.common = common;
    brokers = new Brokers(folder, shape.brokers, shape.seed);
    config = write("audit", brokers.directServers(), "");
    settings = Settings.read(config, Map.of());
    TopicCheck.create(settings, 3);
    for (String model : shape.names()) {
      SchemaTopic.register(
          settings.kafka(), settings.topics().schemas(), model + ".records", Feed.SCHEMA);
    }
    watch = new Watch(brokers.directServers(), shape.names());
    feed = new Feed(brokers.directServers(), shape.names(), 60, shape.seed);
    trainers = new Fleet(shape.trainers, this::beginTrainer);
    scorers = new Fleet(shape.scorers, this::beginScorer);
    scorers.awaitStarted();
    trainers.awaitStarted();
    awaitVersions(2);
    awaitDrained();
  }

  public Shape shape() {
    return shape;
  }

  public Brokers brokers() {
    return brokers;
  }

  public Feed feed() {
    return feed;
  }

  public Watch watch() {
    return watch;
  }

  /** A configuration that names all topics, and the brokers as no network is before them. */
  public Path config() {
    return config;
  }

  /** What that configuration says. */
  public Settings settings() {
    return settings;
  }

  public Fleet scorers() {
    return scorers;
  }

  public Fleet trainers() {
    return trainers;
  }

  /** From now on scorers that are started are of that build. */
  void scorersOf(Build build) {
    scorerBuild = build;
  }

  /** From now on programs that are started read that of each model, too: a line of YAML. */
  void sayOfModels(String line) {
    ofModels = line;
  }

  /** From now on trainers that are started are of that build. */
  void trainersOf(Build build) {
    trainerBuild = build;
  }

  /** Does that to the networks before all brokers. */
  public void networks(Consumer<Network> what) {
    brokers.networks().forEach(what);
  }

  /** Deletes the state of a scorer, whether it runs or not. */
  public void loseState(int scorer) {
    String state = stateDirectory(scorer).toString();
    // Again if files came meanwhile.
    Commands.run("sh", "-c", "for i in 1 2 3 4 5; do rm -rf '" + state + "' && exit; done");
  }

  /** Puts another program, which takes this configuration and arguments, in a trainer's place. */
  public Node disturbedTrainer(int which, Class<?> main, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of(trainerConfig(which)));
    all.addAll(List.of(arguments));
    Node node = Node.start(log("trainer", which), HEAP, main.getName(), all.toArray());
    trainers.replace(which, node);
    return node;
  }

  private Node beginScorer(int which) {
    Path file =
        write(
            "scorer-" + which,
            brokers.networkServers() + "', rocksdb.config.setter: '" + SmallBuffers.class.getName(),
            Sentence.of(
                "  service: { port: 0, instanceId: s%d, stateDirectory: '%s' }\n",
                which, stateDirectory(which)));
    return Node.start(
        scorerBuild,
        log("scorer", which),
        HEAP,
        ServiceApplication.class.getName(),
        "--config",
        file);
  }

  /** Where a scorer has its state. */
  public Path stateDirectory(int scorer) {
    return folder.resolve("state-" + scorer);
  }

  private Node beginTrainer(int which) {
    return Node.start(
        trainerBuild,
        log("trainer", which),
        HEAP,
        TrainerApplication.class.getName(),
        "--config",
        trainerConfig(which));
  }

  private Path trainerConfig(int which) {
    return write(
        "trainer-" + which,
        brokers.networkServers(),
        "  trainer: { port: 0, sessionTimeout: 6s }\n");
  }

  private Path log(String role, int which) {
    return folder.resolve(role + "-" + which + "-" + starts++ + ".log");
  }

  private Path write(String name, String servers, String more) {
    StringBuilder text =
        new StringBuilder(
            Sentence.of(
                "kafka: { bootstrap.servers: '%s' }\nholdfast:\n%s%s  models:\n",
                servers, common, more));
    for (String model : shape.names()) {
      text.append("    ").append(model).append(":\n");
      text.append(
          """
                objective: squared
                label: label
                environment: region
                labels: { in: topic, wait: 1h }
                trees: { rounds: 2, maxLeaves: 6, minRows: 5 }
                update: { policy: append, maxTrees: 60 }
                window: { rows: 120, environments: 2 }
          """);
      text.append("      ").append(ofModels).append('\n');
    }
    try {
      Files.createDirectories(folder);
      return Files.writeString(folder.resolve(name + ".yml"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until each model has so many versions. */
  public void awaitVersions(long count) {
    until(() -> shape.names().stream().allMatch(model -> watch.versions(model) >= count));
  }

  /** Waits until each model has a version more; how long that took, in seconds. */
  public double awaitNextVersions() {
    Map<String, Long> before = watch.counts();
    long begin = System.nanoTime();
    until(
        () ->
            shape.names().stream()
                .allMatch(
                    model -> watch.versions(model) > before.getOrDefault(model + ".versions", 0L)));
    return secondsSince(begin);
  }

  /** Records that the brokers have taken, of the feed and of tests. */
  public long records() {
    return feed.acknowledged() + others;
  }

  /** Notes that a test has sent so many records beside the feed, which brokers acknowledged. */
  public void noteSent(long records) {
    others += records;
  }

  /** Waits until so many more rows were sent. */
  public void awaitSent(int rows) {
    long end = feed.rows() + rows;
    until(() -> feed.rows() >= end);
  }

  /** Waits until all that was sent until now has its outcome; how long that took, in seconds. */
  public double awaitOutcomes() {
    long begin = System.nanoTime();
    long sent = feed.rows() * shape.models + others;
    until(() -> watch.outcomes() >= sent);
    return secondsSince(begin);
  }

  /** Pauses the feed, waits until every record has its outcome, and goes on. */
  public void awaitDrained() {
    pauseUntilDrained();
    feed.resume();
  }

  /** Pauses the feed and waits until every record has its outcome. */
  public void pauseUntilDrained() {
    feed.pause();
    feed.flush();
    until(() -> watch.outcomes() >= records());
  }

  /**
   * Waits until every record has its outcome, judges all that there is, notes what came of a fault
   * and fails if that is not as promised.
   *
   * @param before {@link #records} before the first fault
   */
  public void conclude(String fault, int times, long before, List<Double> seconds, String test) {
    pauseUntilDrained();
    Audit audit = Audit.of(config);
    long records = records();
    FaultTable.add(fault, times, records - before, audit, seconds, test);
    assertThat(audit.findings()).as("seed %d", shape.seed).isEmpty();
    assertThat(audit.clean()).isTrue();
    assertThat(audit.records()).as("records that brokers acknowledged").isEqualTo(records);
    feed.resume();
  }

  /** Waits for it, while what could not start is started again. */
  public void until(Callable<Boolean> condition) {
    try {
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> {
                scorers.revive();
                trainers.revive();
                return condition.call();
              });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(state(), e);
    }
  }

  /** Where everything is, for the message of a failure. */
  String state() {
    StringBuilder state = new StringBuilder();
    state.append(Sentence.of("seed %d, %d rows sent, ", shape.seed, feed.rows()));
    state.append(feed.acknowledged()).append(" records acknowledged, ");
    state.append(watch.counts()).append("; logs in ").append(folder).append('\n');
    state.append("transactions\n");
    OpenTransactions.of(brokers).forEach(line -> state.append(line).append('\n'));
    state.append("scorers\n").append(scorers.state());
    state.append("trainers\n").append(trainers.state());
    return state.toString();
  }

  private static double secondsSince(long begin) {
    return (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
  }

  @Override
  public void close() {
    feed.close();
    watch.close();
    scorers.close();
    trainers.close();
    brokers.close();
  }
}
