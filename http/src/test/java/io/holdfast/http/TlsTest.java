package io.holdfast.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.StartException;
import io.holdfast.schemas.settings.Security.Tls;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS with a certificate of our own, as the how-to has it. */
class TlsTest {
  private static final char[] PASSWORD = "a secret of a test".toCharArray();

  @TempDir private static Path folder;
  private static KeyStore keys;

  @BeforeAll
  static void makeCertificate() throws Exception {
    Path store = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "holdfast",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=ip:127.0.0.1,dns:localhost",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    keys = KeyStore.getInstance(store.toFile(), PASSWORD);
    pem("cert", "CERTIFICATE", keys.getCertificate("holdfast").getEncoded());
    pem("key", "PRIVATE KEY", keys.getKey("holdfast", PASSWORD).getEncoded());
    Files.writeString(folder.resolve("none.pem"), "no key at all");
  }

  private static void pem(String name, String what, byte[] bytes) throws Exception {
    String body = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(bytes);
    Files.writeString(
        folder.resolve(name + ".pem"),
        "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
  }

  private static ApplicationContext context(String certificate, String key) {
    Tls tls = new Tls(folder.resolve(certificate), folder.resolve(key));
    return ServerContext.of("test", "127.0.0.1", 0, Duration.ofSeconds(5), tls).build();
  }

  private static HttpResponse<String> metrics(URI server, KeyStore trusted) throws Exception {
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext ssl = SSLContext.getInstance("TLS");
    ssl.init(null, trust.getTrustManagers(), null);
    try (HttpClient client = HttpClient.newBuilder().sslContext(ssl).build()) {
      return client.send(
          HttpRequest.newBuilder(server.resolve("/prometheus")).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void server_speaksHttpsToThoseWhoTrustIt_andNothingElse() throws Exception {
    try (ApplicationContext context = context("cert.pem", "key.pem").start()) {
      URI url = context.getBean(EmbeddedServer.class).start().getURI();
      assertThat(url).hasScheme("https");
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("holdfast", keys.getCertificate("holdfast"));

      HttpResponse<String> answer = metrics(url, trusted);

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
      trusted.deleteEntry("holdfast");
      trusted.setCertificateEntry("another", otherCertificate());
      assertThatThrownBy(() -> metrics(url, trusted)).isInstanceOf(SSLHandshakeException.class);
      URI plain = new URI("http", null, url.getHost(), url.getPort(), "/prometheus", null, null);
      assertThatThrownBy(() -> metrics(plain, trusted)).isInstanceOf(IOException.class);
    }
  }

  private static Certificate otherCertificate() throws Exception {
    Path file = Path.of(System.getProperty("java.home"), "lib", "security", "cacerts");
    KeyStore java = KeyStore.getInstance(file.toFile(), "changeit".toCharArray());
    return java.getCertificate(java.aliases().nextElement());
  }

  @Test
  void filesThatAreNone_areSaidInOneSentence() {
    for (String key : new String[] {"none.pem", "missing.pem", "cert.pem"}) {
      assertThatThrownBy(() -> context("cert.pem", key))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("holdfast.security.certificate and .privateKey must be")
          .hasMessageContaining(key);
    }
  }
}
