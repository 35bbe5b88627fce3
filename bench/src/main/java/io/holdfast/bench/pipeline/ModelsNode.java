package io.holdfast.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.settings.Settings;
import io.holdfast.service.Service;
import io.holdfast.service.ServiceStartException;
import io.holdfast.trainer.runtime.Trainer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The program of a child JVM that is a service or a trainer. Told line by line:
 *
 * <pre>
 * ready  -> seconds from its start until it was ready
 * all N  -> when it, a trainer, trains N models
 * memory -> live heap, resident memory in MiB, threads
 * stop   -> when it has closed
 * </pre>
 */
final class ModelsNode {
  private ModelsNode() {}

  /** Arguments: {@code service} or {@code trainer}, a configuration. */
  public static void main(String[] arguments) throws IOException, ServiceStartException {
    ChildJvm.endOnError();
    long start = System.nanoTime();
    Settings settings = Settings.read(Path.of(arguments[1]), Map.of());
    if (arguments[0].equals("service")) {
      try (Service service = Service.start(settings)) {
        serve(service::ready, service.url(), start);
      }
    } else {
      try (Trainer trainer = Trainer.start(settings)) {
        serve(trainer::ready, trainer.url(), start);
      }
    }
    ChildJvm.reply("stopped");
  }

  private static void serve(BooleanSupplier ready, URI url, long start) throws IOException {
    var in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    ChildJvm.reply("started");
    for (String line = in.readLine(); line != null && !line.equals("stop"); line = in.readLine()) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "ready" -> {
          await(ready);
          ChildJvm.reply(String.format(Locale.ROOT, "%.1f", (System.nanoTime() - start) / 1e9));
        }
        case "all" -> {
          String models = "holdfast_trainer_models " + words[1] + ".0";
          await(() -> metrics(url).contains(models) && ready.getAsBoolean());
          ChildJvm.reply("ready");
        }
        case "memory" -> ChildJvm.reply(memory());
        default -> throw new IllegalArgumentException(line);
      }
    }
  }

  private static void await(BooleanSupplier ready) {
    while (!ready.getAsBoolean()) {
      LockSupport.parkNanos(20_000_000);
    }
  }

  private static String metrics(URI url) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(url.resolve("/prometheus")).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private static String memory() throws IOException {
    System.gc();
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    long resident =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .findFirst()
            .orElse(0);
    int threads = ManagementFactory.getThreadMXBean().getThreadCount();
    return String.format(Locale.ROOT, "%.1f %.1f %d", heap / 1048576.0, resident / 1024.0, threads);
  }
}
