/**
 * The whole way of a record through Kafka, measured: topologies and broker run in JVMs of their own
 * that are told over their standard input what to do. In come generated rows; out go figures on
 * standard output, each beside that of an identity topology in the same run. It may not know a
 * setting that the product does not ship.
 */
@NullMarked
package io.holdfast.bench.pipeline;

import org.jspecify.annotations.NullMarked;
