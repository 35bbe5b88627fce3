package io.holdfast.schemas.registry;

import static io.holdfast.schemas.registry.FakeRegistry.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.holdfast.schemas.registry.RegistryException.Reason;
import io.holdfast.schemas.settings.Framings.Format;
import io.holdfast.schemas.settings.Registry;
import io.holdfast.schemas.settings.Registry.Credentials;
import io.holdfast.schemas.settings.Registry.Store;
import io.holdfast.schemas.settings.Registry.Subjects;
import io.holdfast.schemas.settings.Registry.Tls;
import io.holdfast.schemas.settings.SettingsException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A registry that asks for our certificate, behind one that Java does not trust by itself. */
@SuppressWarnings("NullAway.Init")
class MutualTlsTest {
  private static final String PASSWORD = "change-it";
  @TempDir private static Path folder;

  private static HttpsServer server;

  @BeforeAll
  static void start() throws IOException, GeneralSecurityException, InterruptedException {
    create("server");
    create("client");
    SSLContext context = Certificates.context(new Tls(store("server.p12"), store("client.trust")));
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters asked = getSSLContext().getDefaultSSLParameters();
            asked.setNeedClientAuth(true);
            parameters.setSSLParameters(asked);
          }
        });
    String schema =
        "{\\\"type\\\": \\\"record\\\", \\\"name\\\": \\\"Ride\\\", \\\"fields\\\": []}";
    server.createContext(
        "/schemas/ids/7",
        exchange -> {
          try (exchange) {
            json(200, "{\"schema\": \"" + schema + "\"}").to(exchange);
          }
        });
    server.start();
  }

  @AfterAll
  static void stop() {
    server.stop(0);
  }

  /** A key of its own, and a store that trusts its certificate. */
  private static void create(String name)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path file = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "SAN=ip:127.0.0.1,dns:localhost",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(new File(folder.toFile(), name + ".log"))
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry(name, keys.getCertificate(name));
    try (OutputStream out = Files.newOutputStream(folder.resolve(name + ".trust"))) {
      trust.store(out, PASSWORD.toCharArray());
    }
  }

  private static Store store(String name) {
    return new Store(folder.resolve(name), PASSWORD);
  }

  private static SchemaRegistry registry(@Nullable Tls tls) {
    URI url = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    var settings =
        new Registry(
            List.of(url),
            new Credentials.None(),
            tls,
            Duration.ofSeconds(30),
            Subjects.TOPIC,
            Format.SINGLE_OBJECT);
    return new SchemaRegistry(settings, failure -> {});
  }

  @Test
  void schema_isFound_withOurCertificateAndTheirs() throws RegistryException {
    try (SchemaRegistry registry = registry(new Tls(store("client.p12"), store("server.trust")))) {
      assertThat(registry.find(new SchemaId.Numbered(7)).getName()).isEqualTo("Ride");
    }
  }

  @Test
  void schema_isUnavailable_withoutOurCertificate_orTrustInTheirs() {
    for (Tls tls :
        new @Nullable Tls[] {
          null,
          new Tls(store("client.p12"), null),
          new Tls(null, store("server.trust")),
          new Tls(store("server.p12"), store("server.trust"))
        }) {
      try (SchemaRegistry registry = registry(tls)) {
        RegistryException failure =
            catchThrowableOfType(
                RegistryException.class, () -> registry.find(new SchemaId.Numbered(7)));
        assertThat(failure.reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(failure).hasMessageContaining("https://127.0.0.1:");
      }
    }
  }

  @Test
  void wrongPassword_namesTheKeyAndTheFile() {
    Store wrong = new Store(folder.resolve("client.p12"), "other");
    assertThat(
            catchThrowableOfType(
                SettingsException.class, () -> registry(new Tls(wrong, null)).close()))
        .hasMessageContaining("holdfast.registry.keystore must be a PKCS#12 or JKS file")
        .hasMessageContaining("client.p12");
  }
}
