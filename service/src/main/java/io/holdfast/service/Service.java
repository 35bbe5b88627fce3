package io.holdfast.service;

import io.holdfast.http.ServerProgram;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.StartException;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Security;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.DeclaredSchema;
import io.holdfast.schemas.topic.FirstAnswer;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.runtime.ServiceRuntime;
import io.holdfast.service.runtime.ServiceStatus;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.server.exceptions.ServerStartupException;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running service: topologies, model loader and HTTP, in this JVM. Started and closed by one
 * thread; asked by any.
 */
public final class Service implements ServerProgram.Server {
  private static final Logger LOG = LoggerFactory.getLogger(Service.class);

  private final ApplicationContext context;
  private final EmbeddedServer server;
  private final StateLock state;
  private final ServiceRuntime runtime;

  private Service(
      ApplicationContext context, EmbeddedServer server, ServiceRuntime runtime, StateLock state) {
    this.state = state;
    this.context = context;
    this.server = server;
    this.runtime = runtime;
  }

  /**
   * Checks the shared topics, opens the HTTP port and begins to load models. Returns before the
   * models are there: {@link #ready} tells when records are scored. What is wrong with one model is
   * a trouble of that model, and may be mended while the others are served.
   *
   * @throws StartException in a sentence for each problem, if a shared topic is not as it must be,
   *     the broker cannot be reached, the state directory cannot be written or the port is taken
   * @throws io.holdfast.schemas.settings.SettingsException if a schema file cannot be read, or the
   *     settings do not fit the records' schema
   */
  public static Service start(Settings settings) throws StartException {
    for (ModelSettings model : settings.models().values()) {
      // Read again by the runtime; here a mistake in one is still a mistake in the configuration.
      var _ = DeclaredSchema.of(model);
    }
    Settings.Service own = settings.service();
    Security security = settings.security().withFile();
    requireSecured(own.host(), security);
    List<String> problems = new ArrayList<>(topicProblems(settings));
    StateLock state = takeState(own, problems);
    if (!problems.isEmpty() || state == null) {
      if (state != null) {
        state.close();
      }
      throw new StartException(problems);
    }
    ApplicationContext context =
        HttpContext.of(own.host(), own.port(), own.requestTimeout(), security)
            .singletons(settings)
            .build();
    boolean complete = false;
    try {
      context.start();
      EmbeddedServer server = context.getBean(EmbeddedServer.class);
      ServiceRuntime runtime = context.getBean(ServiceRuntime.class);
      runtime.checkSchemas();
      server.start();
      runtime.start();
      complete = true;
      LOG.info(
          "the service {} for {} with Kafka at {} listens on {}",
          own.applicationId(),
          String.join(", ", settings.models().keySet()),
          settings.kafka().get("bootstrap.servers"),
          server.getURI());
      return new Service(context, server, runtime, state);
    } catch (ServerStartupException e) {
      throw StartException.ofPort("service", own.host(), own.port(), e);
    } finally {
      if (!complete) {
        context.close();
        state.close();
      }
    }
  }

  /** Where the dashboard and the REST interface are; the port is the one that was opened. */
  @Override
  public URI url() {
    return server.getURI();
  }

  /** Whether records are being scored, of every model that can be. */
  public boolean ready() {
    return runtime.awaited().isEmpty();
  }

  /** Why it is not ready, or no longer alive. */
  public ServiceStatus status() {
    return runtime;
  }

  /** What serves for each model. */
  public ServedModels models() {
    return runtime.models();
  }

  /** Commits what is in flight, leaves the consumer groups and closes the port. */
  @Override
  public void close() {
    context.close();
    state.close();
  }

  /** Others than those on this machine must be able to say who they are. */
  private static void requireSecured(String host, Security security) {
    try {
      if (security.configured() || InetAddress.getByName(host).isLoopbackAddress()) {
        return;
      }
    } catch (UnknownHostException e) {
      return; // the port cannot be opened, which is said then
    }
    throw new StartException(
        List.of(
            Sentence.of(
                "holdfast.service.host is %s, which others reach, and nobody can say who they are:"
                    + " set holdfast.security.tokens, .tokensFile or .jwks, or take 127.0.0.1",
                host)));
  }

  private static List<String> topicProblems(Settings settings) {
    try {
      Duration limit = FirstAnswer.await(settings);
      return TopicCheck.sharedProblems(settings, limit).isEmpty()
          ? List.of()
          : TopicCheck.problems(settings, limit); // all of them at once
    } catch (TopicException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable StateLock takeState(Settings.Service service, List<String> problems) {
    Path directory = service.stateDirectory();
    try {
      Files.createDirectories(directory);
      if (Files.isWritable(directory)) {
        StateLock state = StateLock.take(directory, service.applicationId());
        if (state == null) {
          problems.add(
              Sentence.of(
                  "the folder %s is in use by another service: set holdfast.service.stateDirectory"
                      + " to one of its own for each",
                  directory));
        }
        return state;
      }
    } catch (IOException e) {
      // Said below: the reasons that Java gives are file names.
    }
    problems.add(
        Sentence.of(
            "the folder %s cannot be written: set holdfast.service.stateDirectory to one that can",
            directory));
    return null;
  }
}
