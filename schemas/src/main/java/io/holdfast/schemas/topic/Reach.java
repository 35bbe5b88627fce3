package io.holdfast.schemas.topic;

import io.holdfast.schemas.Sentence;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.utils.Utils;

/** Why a broker does not answer, as far as a connection to its port tells. */
enum Reach {
  /** Its name is no machine's. */
  UNKNOWN_HOST,
  /** Nothing takes connections there. */
  REFUSED,
  /** Connections are taken, and no request of a Kafka client was answered. */
  SILENT;

  private static final int LIMIT_MILLIS = 2_000;

  /** The best of all addresses that the settings name. */
  static Reach of(Map<String, String> kafka) {
    return Arrays.stream(ClientSettings.brokers(kafka).split(",", -1))
        .map(address -> of(address.strip()))
        .max(Comparator.naturalOrder())
        .orElse(UNKNOWN_HOST);
  }

  private static Reach of(String address) {
    String host = Utils.getHost(address);
    Integer port = Utils.getPort(address);
    if (host == null || port == null) {
      return UNKNOWN_HOST;
    }
    InetSocketAddress resolved = new InetSocketAddress(host, port);
    if (resolved.isUnresolved()) {
      return UNKNOWN_HOST;
    }
    try (Socket socket = new Socket()) {
      socket.connect(resolved, LIMIT_MILLIS);
      return SILENT;
    } catch (IOException e) {
      return REFUSED;
    }
  }

  /** It in a sentence, with what mends it. */
  String sentence(Map<String, String> kafka) {
    String brokers = ClientSettings.brokers(kafka);
    String key = "kafka." + CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;
    return switch (this) {
      case UNKNOWN_HOST ->
          Sentence.of(
              "no Kafka broker answers at %s, whose name is that of no machine: set %s to where"
                  + " one is",
              brokers, key);
      case REFUSED ->
          Sentence.of(
              "no Kafka broker answers at %s: start one, or set %s to where one is", brokers, key);
      case SILENT ->
          Sentence.of(
              "what listens at %s takes connections and answers no request: it is too busy, or"
                  + " kafka.security.protocol, which is %s, must be what that port speaks"
                  + " (PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL)",
              brokers, Login.protocol(kafka));
    };
  }
}
