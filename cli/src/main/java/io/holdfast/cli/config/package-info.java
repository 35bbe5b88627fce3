/** Commands about the configuration file itself. */
@NullMarked
package io.holdfast.cli.config;

import org.jspecify.annotations.NullMarked;
