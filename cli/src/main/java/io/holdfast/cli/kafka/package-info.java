/**
 * A Kafka broker of one's own. A folder, a port and nothing else come in from the commands and the
 * tests; a running single-node broker on the loopback address goes out to any Kafka client. It may
 * not know what is sent through it: no topic, model or schema of Holdfast is named here.
 */
@NullMarked
package io.holdfast.cli.kafka;

import org.jspecify.annotations.NullMarked;
