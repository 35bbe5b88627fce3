package io.holdfast.schemas.topic;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;

/** As whom a broker knows the clients of a configuration, as far as that can be seen from here. */
final class Login {
  private static final Pattern NAME = Pattern.compile("\\busername\\s*=\\s*(['\"])(.*?)\\1");

  private Login() {}

  /** The principal as access rules name it; empty if only the broker knows it. */
  static String principal(Map<String, String> kafka) {
    String protocol = protocol(kafka);
    if (protocol.startsWith("SASL")) {
      Matcher name = NAME.matcher(kafka.getOrDefault(SaslConfigs.SASL_JAAS_CONFIG, ""));
      return name.find() ? "User:" + name.group(2) : "";
    }
    return protocol.equals("SSL") && kafka.containsKey(SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG)
        ? ""
        : "User:ANONYMOUS";
  }

  /** The principal as a sentence names it. */
  static String described(Map<String, String> kafka) {
    String principal = principal(kafka);
    if (!principal.isEmpty()) {
      return principal;
    }
    return protocol(kafka).startsWith("SASL")
        ? "the principal of kafka.sasl.jaas.config"
        : "the principal of the certificate in kafka.ssl.keystore.location";
  }

  /** Upper case. */
  static String protocol(Map<String, String> kafka) {
    return kafka
        .getOrDefault(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, "PLAINTEXT")
        .toUpperCase(Locale.ROOT);
  }
}
