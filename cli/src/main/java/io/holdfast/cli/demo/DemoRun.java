package io.holdfast.cli.demo;

import io.holdfast.cli.stream.Lead;
import io.holdfast.cli.stream.OutcomeCounter;
import io.holdfast.cli.stream.Pace;
import io.holdfast.cli.stream.RecordSender;
import io.holdfast.cli.stream.ReportTail;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One stream through a running demo, on the calling thread. One use each. */
public final class DemoRun {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration QUIET = Duration.ofSeconds(30);

  private final Demo demo;
  private final Plan plan;
  private final Consumer<WindowReport> listener;
  private final BooleanSupplier stopping;
  private final ModelSettings model = DemoModel.model();
  private final List<WindowReport> windows = new ArrayList<>();
  private long firstVersionMillis = -1;

  /** How many orders to stream, how many a second (0: as the trainer keeps up), and their seed. */
  public record Plan(long rows, double rate, long seed) {}

  public DemoRun(Demo demo, Plan plan, Consumer<WindowReport> listener, BooleanSupplier stopping) {
    this.demo = demo;
    this.plan = plan;
    this.listener = listener;
    this.stopping = stopping;
  }

  /** Streams, and waits until everything sent has been scored and learned from. */
  public DemoResult run() {
    Settings settings = demo.settings();
    String reportsTopic = settings.topics().reports();
    try (var reports = new ReportTail(settings.kafka(), reportsTopic, model.name());
        var sender = new RecordSender(settings.kafka());
        var outcomes = new OutcomeCounter(settings.kafka(), model.topics())) {
      Lead lead = new Lead(reports, aheadOfTrainer(), this::report);
      awaitReady(lead);
      long startMillis = uptimeMillis();
      outcomes.poll(POLL);
      var stream = new DeliveryStream(plan.seed());
      long before = outcomes.scored();
      var feed = new DemoFeed(stream, sender, model.topics(), Clock.systemUTC(), before);
      send(feed, lead, outcomes);
      awaitOutcomes(feed, lead, outcomes);
      return new DemoResult(
          feed.rows() - before,
          feed.labelsSent(),
          outcomes.scored() - before,
          outcomes.repeated(),
          outcomes.deadLetters(),
          startMillis / 1000.0,
          firstVersionMillis < 0 ? null : firstVersionMillis / 1000.0,
          uptimeMillis() / 1000.0,
          windows);
    }
  }

  /** A window and a quarter: while one is learned from, the next is already under way. */
  private long aheadOfTrainer() {
    long rows = model.window().rows();
    return rows + rows / 4;
  }

  private void awaitReady(Lead lead) {
    while (!demo.ready() && !stopping.getAsBoolean()) {
      lead.poll(POLL);
    }
  }

  private void send(DemoFeed feed, Lead lead, OutcomeCounter outcomes) {
    Pace pace = new Pace(plan.rate());
    long sent = 0;
    while (sent < plan.rows() && !stopping.getAsBoolean()) {
      pace.await();
      int labels = feed.next();
      sent++;
      for (int i = 0; i < labels && plan.rate() == 0; i++) {
        lead.labelSent();
      }
      if (sent % 64 == 0) {
        lead.poll(Duration.ZERO);
        outcomes.poll(Duration.ZERO);
      }
    }
    if (!stopping.getAsBoolean()) {
      feed.finish();
    }
  }

  /** Until all are scored and less than a window of labels is left, or nothing happens any more. */
  private void awaitOutcomes(DemoFeed feed, Lead lead, OutcomeCounter outcomes) {
    long quietSince = System.nanoTime();
    long seen = -1;
    while (!stopping.getAsBoolean() && System.nanoTime() - quietSince < QUIET.toNanos()) {
      lead.poll(POLL);
      outcomes.poll(POLL);
      long examples = windows.stream().mapToLong(WindowReport::getRows).sum();
      if (outcomes.scored() >= feed.rows()
          && feed.labelsSent() - examples < model.window().rows()) {
        return;
      }
      if (outcomes.scored() + examples != seen) {
        seen = outcomes.scored() + examples;
        quietSince = System.nanoTime();
      }
    }
  }

  private void report(WindowReport report) {
    if (report.getPublishedVersion() != null && firstVersionMillis < 0) {
      firstVersionMillis = uptimeMillis();
    }
    windows.add(report);
    listener.accept(report);
  }

  private static long uptimeMillis() {
    return ManagementFactory.getRuntimeMXBean().getUptime();
  }
}
