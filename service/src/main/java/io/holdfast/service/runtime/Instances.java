package io.holdfast.service.runtime;

import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.ClientSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The instances of the service that are in the groups of topologies, as the broker has them, and
 * what those that are gone have left open. Thread-safe.
 */
final class Instances implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Instances.class);
  private static final Duration LIMIT = Duration.ofSeconds(3);

  private final Settings settings;
  private @Nullable Admin admin; // made when it is first needed

  Instances(Settings settings) {
    this.settings = settings;
  }

  /** Whether an instance of that id is in the group; not if the broker does not say. */
  boolean has(String applicationId, String instance) {
    try {
      return members(applicationId).stream().anyMatch(id -> id.startsWith(instance + "-"));
    } catch (ExecutionException | KafkaException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Ends the transactions of instances that are no longer in the group: whoever has their
   * partitions now cannot know where to go on before. One that lives and was taken for dead is
   * fenced by it, as it must be.
   */
  void endLeftOpen(String applicationId) {
    try {
      String prefix = StableClients.transactionsOf(applicationId);
      List<String> open = open(prefix);
      if (open.isEmpty()) {
        return;
      }
      // Asked for later than the transactions: whoever began one was in the group by then.
      Set<String> members = members(applicationId);
      List<String> left =
          open.stream().filter(id -> !members.contains(id.substring(prefix.length()))).toList();
      if (!left.isEmpty()) {
        admin().fenceProducers(left).all().get();
        LOG.info("{}: ended what instances that are gone had open: {}", applicationId, left);
      }
    } catch (ExecutionException | KafkaException e) {
      LOG.debug("{}: what instances that are gone have open is not known", applicationId, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<String> open(String prefix) throws ExecutionException, InterruptedException {
    var ongoing = new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING));
    return admin().listTransactions(ongoing).all().get().stream()
        .map(TransactionListing::transactionalId)
        .filter(id -> id.startsWith(prefix))
        .toList();
  }

  private Set<String> members(String group) throws ExecutionException, InterruptedException {
    var described = admin().describeConsumerGroups(List.of(group)).all().get();
    return described.values().stream()
        .flatMap(found -> found.members().stream())
        .map(MemberDescription::groupInstanceId)
        .flatMap(Optional::stream)
        .collect(Collectors.toSet());
  }

  private synchronized Admin admin() {
    if (admin == null) {
      admin = Admin.create(ClientSettings.admin(settings.kafka(), LIMIT));
    }
    return admin;
  }

  @Override
  public synchronized void close() {
    if (admin != null) {
      admin.close(Duration.ofSeconds(1));
    }
  }
}
