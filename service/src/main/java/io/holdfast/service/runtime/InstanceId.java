package io.holdfast.service.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.settings.Settings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;
import java.util.zip.CRC32;

/**
 * What an instance of the service is called in its consumer groups: as the settings have it, or
 * else by its machine and state directory, which no two share and which stay the same when it
 * restarts. Stateless.
 */
final class InstanceId {
  private static final int MAX = 200;

  /** Of this process, where the machine has no name. */
  private static final String ANY = UUID.randomUUID().toString();

  private InstanceId() {}

  static String of(Settings.Service service) {
    String named = service.instanceId();
    if (named != null) {
      return named;
    }
    var directory = new CRC32();
    directory.update(
        service.stateDirectory().toAbsolutePath().normalize().toString().getBytes(UTF_8));
    String host = host().replaceAll("[^a-zA-Z0-9._-]", "-");
    return host.substring(0, Math.min(MAX, host.length()))
        + "-"
        + Long.toHexString(directory.getValue());
  }

  private static String host() {
    String container = System.getenv("HOSTNAME");
    if (container != null && !container.isBlank()) {
      return container;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return ANY;
    }
  }
}
