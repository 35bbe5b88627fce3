package io.holdfast.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** Certificates of a test's broker. */
final class Certificates {
  private Certificates() {}

  /** A key for the broker, and {@code ca.pem}, which its clients trust. */
  static Path make(Path folder, String password) throws Exception {
    Path store = folder.resolve("broker.p12");
    List<String> keytool =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "broker",
            "-keyalg",
            "EC",
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=ip:127.0.0.1,dns:localhost",
            "-keystore",
            store.toString(),
            "-storepass",
            password);
    assertThat(new ProcessBuilder(keytool).inheritIO().start().waitFor()).isZero();
    byte[] certificate =
        KeyStore.getInstance(store.toFile(), password.toCharArray())
            .getCertificate("broker")
            .getEncoded();
    Files.writeString(
        folder.resolve("ca.pem"),
        "-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate)
            + "\n-----END CERTIFICATE-----\n");
    return store;
  }
}
