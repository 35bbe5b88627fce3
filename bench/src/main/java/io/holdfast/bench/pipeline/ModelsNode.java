package io.holdfast.bench.pipeline;

import io.holdfast.schemas.StartException;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.io.IOException;
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
 * all N  -> the same, for a trainer that trains N models
 * url    -> where it listens
 * memory -> live heap, resident memory in MiB, threads, processor seconds since its start
 * </pre>
 */
final class ModelsNode {
  private ModelsNode() {}

  /** Arguments: {@code service} or {@code trainer}, a configuration. */
  public static void main(String[] arguments) throws IOException, StartException {
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
  }

  private static void serve(BooleanSupplier ready, URI url, long start) throws IOException {
    ChildJvm.serve(
        "started",
        words -> {
          if (words[0].equals("memory")) {
            return memory();
          }
          if (words[0].equals("url")) {
            return url.toString();
          }
          String metric = "holdfast_trainer_models " + words[words.length - 1] + ".0";
          while ((words[0].equals("all") && !metrics(url).contains(metric))
              || !ready.getAsBoolean()) {
            LockSupport.parkNanos(20_000_000);
          }
          return String.format(Locale.ROOT, "%.1f", (System.nanoTime() - start) / 1e9);
        });
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
    double busy = Workbench.processNanos() / 1e9;
    return String.format(
        Locale.ROOT, "%.1f %.1f %d %.1f", heap / 1048576.0, resident / 1024.0, threads, busy);
  }
}
