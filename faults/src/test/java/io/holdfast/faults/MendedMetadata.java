package io.holdfast.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.metadata.MetadataCache;

/**
 * A broker's metadata without the defect KAFKA-20734 of Kafka 4.3 and 4.4: a partition without a
 * leader counts as deleted there. So while the only broker that has a partition comes back, the
 * coordinator takes a transaction for ended whose marker that partition lacks, and what was written
 * shares the fate of its producer's next transaction: it is lost or doubled.
 */
public final class MendedMetadata {
  private static final String CLASS = "KRaftMetadataCache";
  private static final String METHOD = "getPartitionLeaderEndpoint";

  private MendedMetadata() {}

  /** Puts it in place of Kafka's, before that is used. */
  static void load() {
    var mended =
        MethodTypeDesc.of(
            described(Optional.class),
            described(Optional.class),
            described(MetadataCache.class),
            ConstantDescs.CD_String,
            ConstantDescs.CD_int);
    CodeTransform mending =
        (code, element) -> {
          if (element instanceof ReturnInstruction) {
            code.aload(0)
                .aload(1)
                .iload(2)
                .invokestatic(described(MendedMetadata.class), "leaderEndpoint", mended);
          }
          code.with(element);
        };
    try (InputStream released =
        Objects.requireNonNull(MetadataCache.class.getResourceAsStream(CLASS + ".class"))) {
      ClassFile format = ClassFile.of();
      byte[] bytes =
          format.transformClass(
              format.parse(released.readAllBytes()),
              ClassTransform.transformingMethodBodies(
                  method -> method.methodName().equalsString(METHOD), mending));
      MethodHandles.privateLookupIn(MetadataCache.class, MethodHandles.lookup()).defineClass(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ClassDesc described(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  /** What the mended method returns: a partition that there is has a leader, if an absent one. */
  public static Optional<Node> leaderEndpoint(
      Optional<Node> found, MetadataCache metadata, String topic, int partition) {
    boolean absent = found.isEmpty() && metadata.contains(new TopicPartition(topic, partition));
    return absent ? Optional.of(Node.noNode()) : found;
  }
}
