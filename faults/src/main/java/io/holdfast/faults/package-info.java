/**
 * Faults on real processes and real brokers, and what became of the records, by the auditor. Knows
 * the programs by their command lines, configuration files and topics alone.
 */
@NullMarked
package io.holdfast.faults;

import org.jspecify.annotations.NullMarked;
