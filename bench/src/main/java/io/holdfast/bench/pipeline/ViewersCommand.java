package io.holdfast.bench.pipeline;

import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.Runs;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast-bench viewers}: what those who look at a service cost its scoring. */
@Command(
    name = "viewers",
    description =
        "Records scored a second by a service that nobody looks at, and by the same with viewers on"
            + " its stream of events and a scrape every second, run by run.")
public final class ViewersCommand extends BenchCommand {
  @Option(names = "--viewers", defaultValue = "50", description = "How many (${DEFAULT-VALUE}).")
  int viewers;

  @Option(
      names = "--records",
      defaultValue = "300000",
      description = "How many a run (${DEFAULT-VALUE}).")
  int records;

  @Option(
      names = "--runs",
      defaultValue = "9",
      description = "Runs of each, after 2 that warm up (${DEFAULT-VALUE}).")
  int runs;

  @Override
  protected void run(PrintWriter out) throws IOException {
    try (var bench = new Workbench()) {
      ManyModels model = new ManyModels(bench, 1);
      try (ChildJvm service = served(model)) {
        compare(model, URI.create(service.ask("url")), out);
      }
    }
  }

  /** A service that is ready; the trainer is gone, which would learn beside what is measured. */
  private static ChildJvm served(ManyModels model) throws IOException {
    try (ChildJvm trainer = ChildJvm.start(ModelsNode.class, "trainer", config(model))) {
      trainer.answer();
      trainer.ask("ready");
      ChildJvm service = ChildJvm.start(ModelsNode.class, "service", config(model));
      service.answer();
      service.ask("ready");
      return service;
    }
  }

  private static String config(ManyModels model) {
    return model.config().toString();
  }

  private void compare(ManyModels model, URI service, PrintWriter out) {
    double[] alone = new double[runs];
    double[] watched = new double[runs];
    for (int run = -2; run < runs; run++) {
      double without = model.scoredASecond(records);
      double with;
      try (Audience audience = new Audience(service, viewers)) {
        with = model.scoredASecond(records);
        audience.check();
      }
      if (run >= 0) {
        alone[run] = without;
        watched[run] = with;
      }
    }
    out.printf(
        Locale.ROOT,
        "viewers records_s ratio%n0 %.0f 1.000%n%d %.0f %.3f%n",
        Runs.median(alone),
        viewers,
        Runs.median(watched),
        Runs.ratio(watched, alone));
  }

  /** Those who look: each reads events until it is closed, and one scrapes. */
  private static final class Audience implements AutoCloseable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<CompletableFuture<HttpResponse<Void>>> streams = new ArrayList<>();
    private final ScheduledExecutorService scraper = Executors.newSingleThreadScheduledExecutor();

    Audience(URI service, int viewers) {
      HttpRequest events = HttpRequest.newBuilder(service.resolve("/api/v1/events")).build();
      for (int i = 0; i < viewers; i++) {
        streams.add(http.sendAsync(events, HttpResponse.BodyHandlers.discarding()));
      }
      HttpRequest metrics = HttpRequest.newBuilder(service.resolve("/prometheus")).build();
      var _ =
          scraper.scheduleAtFixedRate(
              () -> http.sendAsync(metrics, HttpResponse.BodyHandlers.discarding()).join(),
              0,
              1,
              TimeUnit.SECONDS);
    }

    /** That all of them are still there. */
    void check() {
      for (var stream : streams) {
        if (stream.isDone()) {
          throw new IllegalStateException("a stream of events ended: " + stream);
        }
      }
    }

    @Override
    public void close() {
      scraper.shutdownNow();
      http.shutdownNow();
    }
  }
}
