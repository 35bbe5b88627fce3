/**
 * Takes what a person asks of a model's head: roll back, pin, shadow, promote. Gives the new head,
 * committed to the model topic by the ledger's own rules, or one sentence why not. Knows nothing of
 * HTTP, and nothing of what serves on this instance: that follows the topic, as everywhere.
 */
@NullMarked
package io.holdfast.service.head;

import org.jspecify.annotations.NullMarked;
