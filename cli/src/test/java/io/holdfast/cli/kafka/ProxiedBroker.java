package io.holdfast.cli.kafka;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;

/**
 * A broker that is reached by two addresses: as it is, and through a network that can be cut.
 * Thread-safe.
 */
public final class ProxiedBroker implements AutoCloseable {
  private static final String HOST = "127.0.0.1";

  private final BrokerFolder folder;
  private final KafkaRaftServer server;
  private final int direct;
  private final int behind;
  private final ServerSocket front;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;

  /** Starts it, and returns when it takes requests. */
  public ProxiedBroker(Path data) throws IOException {
    front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    direct = Ports.anyFree(0);
    behind = Ports.anyFree(direct);
    int controller = Ports.anyFree(behind);
    folder = BrokerFolder.lock(data);
    folder.formatOnce(1, "CONTROLLER");
    Map<String, String> settings =
        EmbeddedBroker.settings(folder.log(), "PLAINTEXT", direct, controller);
    String cuttable = ",NETWORK://" + HOST + ":";
    settings.merge("listeners", cuttable + behind, String::concat);
    settings.merge("advertised.listeners", cuttable + front.getLocalPort(), String::concat);
    settings.merge("listener.security.protocol.map", ",NETWORK:PLAINTEXT", String::concat);
    server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
    server.startup();
    Thread.ofVirtual().start(this::accept);
  }

  /** Where it is as it is. */
  public String directServers() {
    return HOST + ":" + direct;
  }

  /** Where it is through the network. */
  public String networkServers() {
    return HOST + ":" + front.getLocalPort();
  }

  /** Closes all connections of the network, and takes no more of them. */
  public void cut() {
    cut = true;
    sockets.forEach(ProxiedBroker::closeQuietly);
  }

  /** Takes connections again. */
  public void mend() {
    cut = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = front.accept();
        if (cut) {
          client.close();
        } else {
          Socket broker = new Socket();
          broker.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), behind));
          sockets.add(client);
          sockets.add(broker);
          if (cut) {
            closeQuietly(client);
          }
          Thread.ofVirtual().start(() -> copy(client, broker));
          Thread.ofVirtual().start(() -> copy(broker, client));
        }
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void copy(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException e) {
      // One side has ended the connection, or it was cut: so does the other.
    } finally {
      closeQuietly(from);
      closeQuietly(to);
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private static void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException e) {
      // it is of no use any more
    }
  }

  @Override
  public void close() {
    closeQuietly(front);
    cut();
    server.shutdown();
    server.awaitShutdown();
    folder.close();
  }
}
