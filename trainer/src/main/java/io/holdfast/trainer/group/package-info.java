/**
 * Takes the trainers of a group and the models that each can train. Gives every model to one of
 * them, in the form that Kafka's group protocol asks for. Knows nothing of models but the topics
 * that their examples are in, and holds no consumer.
 */
@NullMarked
package io.holdfast.trainer.group;

import org.jspecify.annotations.NullMarked;
