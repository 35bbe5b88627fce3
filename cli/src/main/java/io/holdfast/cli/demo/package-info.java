/**
 * The demo: a stream of deliveries through the whole of Holdfast in one process. Numbers of rows, a
 * rate and a seed come in from the command; what was scored, published and learned goes out.
 * Broker, service and trainer are used through their public faces, as anybody could.
 */
@NullMarked
package io.holdfast.cli.demo;

import org.jspecify.annotations.NullMarked;
