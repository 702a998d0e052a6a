/**
 * Sends a command to the owner of its record, regardless of the instance that received the request.
 *
 *   owner known? ──here──▶ decide ──done──────────────────────────▶ readable? ──▶ respond
 *     ▲  ▲                   │ another's fence
 *     │  └───────────────────┘
 *     │  ──elsewhere──▶ send ──done, refused──────────────────────▶
 *     │                   │ not the owner: try the owner it names
 *     │                   │ connection refused, silent for a second: take the partition over
 *     └───────────────────┘ response lost: send again, as a repeat
 *
 * A command that may have been carried out is sent again as a repeat: with the same identity, so that the next owner
 * first looks for it in the log. A forwarded command is never forwarded again, which prevents loops. The actor's
 * permissions are read again before the first attempt and for the decision, because the command may have waited for a
 * long time. This instance does not read them again for a repeat, because the first attempt may have succeeded. An
 * owner that reads them again rejects only repeats that are not in the log.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { commandKey } from '../../../shared/domain/record/command-key.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import { toConsistencyToken } from '../../../shared/http/consistency-token.ts';
import { administratorOf } from '../../../shared/runtime/trace.ts';
import type { CommandContext } from '../context.ts';
import { NotOwner } from '../writer/not-owner.ts';
import type { CommandIdentity } from '../writer/submission.ts';
import type { Command, CommandAnswer, Executed, Place } from './command.ts';
import { type CommandDefinition, defineCommand } from './define-command.ts';
import { executeCommand, presentActor } from './execute-command.ts';
import type { ForwardResult } from './forward-command.ts';
import {
  type ForwardedCommand,
  readSerializedRefusal,
  serializeRefusal,
  toRefusal,
} from './protocol.ts';
import { untilReadable } from './wait-for-read-model.ts';

const PAUSE_MS = 25;
/**
 * Time limit for the group to assign a partition. After it, the instance that has the command takes the partition over.
 */
const UNOWNED_AFTER_MS = 1_000;

export class CommandSender {
  readonly #context: () => CommandContext;

  /** `context` is called only once a command is sent, because the context contains this sender. */
  constructor(context: () => CommandContext) {
    this.#context = context;
  }

  /** Sends a command to its owner, and resolves when reads see the result. */
  async send<Body extends object>(
    definition: CommandDefinition<string, Body>,
    { body, ...rest }: Command<NoInfer<Body>>,
  ): Promise<CommandAnswer> {
    const context = this.#context();
    const actor = rest.isDecided ? rest.actor : presentActor(context.directory, rest.actor);
    const sent: object = body;
    const command = { ...rest, actor, body: { ...sent } };
    const executed = await new Sending(context, definition, command).run();
    await untilReadable(context, command, executed);
    const { partition, offset = -1n, ...outcome } = executed;
    const { log } = command.model.definition;
    const consistencyToken = toConsistencyToken({ log, partition, offset });
    return { ...outcome, consistencyToken };
  }

  /**
   * Plans a command from the state that this instance reads, and sends it. If a request is repeated with its
   * Idempotency-Key, the plan may be rejected, often because of changes that the first attempt made. Only the owner can
   * find that attempt and return its outcome.
   */
  async sendPlanned<Body extends object>(
    definition: CommandDefinition<string, Body>,
    { plan, ...command }: Omit<Command, 'body'> & { readonly plan: () => Body | Promise<Body> },
  ): Promise<CommandAnswer> {
    let body: Body;
    try {
      body = await plan();
    } catch (error) {
      if (!(error instanceof Refusal) || command.commandId === null) throw error;
      return this.send(repeatCommand, { ...command, body: serializeRefusal(error) });
    }
    return this.send(definition, { ...command, body });
  }
}

/**
 * Carries the refusal of a request that may be a repeat. The owner returns the outcome of the first attempt if it finds
 * one, and otherwise throws the refusal.
 */
export const repeatCommand = defineCommand({
  name: 'repeat',
  readBody: readSerializedRefusal,
  execute: async (_context, { body }): Promise<Executed> => {
    throw toRefusal(body);
  },
});

/** Returns undefined if a new record can go to any partition that this instance owns. */
function placeOf(
  context: CommandContext,
  { actor, commandId, id, model }: Command,
): Place | undefined {
  const { newId, newIdIn, partitions, topics } = context;
  if (model.definition.log === 'directory') {
    return { resource: `${topics.directory}/0`, partition: 0, id: id ?? newId() };
  }
  if (id !== undefined) return placeIn(context, partitionOf(id, partitions), id);
  if (commandId === null) return undefined;
  // The same key must determine the same partition and id on every instance.
  const partition = partitionOf(commandKey(actor.id, commandId), partitions);
  return placeIn(context, partition, newIdIn(partition));
}

function placeIn({ topics }: CommandContext, partition: number, id: string): Place {
  return { resource: `${topics.records}/${partition}`, partition, id };
}

class Sending {
  readonly #context: CommandContext;
  readonly #definition: CommandDefinition;
  readonly #command: Command;
  #place: Place | undefined;
  #correlationId: string | null = null;
  #isRepeat = false;
  #unownedSince: number | undefined;

  constructor(context: CommandContext, definition: CommandDefinition, command: Command) {
    this.#context = context;
    this.#definition = definition;
    this.#command = command;
    this.#place = placeOf(context, command);
  }

  async run(): Promise<Executed> {
    for (;;) {
      this.#requireTime();
      const executed = (await this.#tryHere()) ?? (await this.#tryElsewhere());
      if (executed !== undefined) return executed;
    }
  }

  #requireTime(): void {
    if (this.#context.now() < this.#command.deadline) return;
    throw new Unavailable(
      this.#isRepeat
        ? 'the log did not accept the change in time; it may still do so'
        : 'no instance owns the partition of this record at the moment',
    );
  }

  /** Returns undefined if this instance is not the owner. */
  async #tryHere(): Promise<Executed | undefined> {
    const { ownership } = this.#context;
    const definition = this.#definition;
    const place = this.#place;
    if (place !== undefined && ownership.ownerOf(place.resource) !== 'here') return undefined;
    try {
      const attempt = { definition, place, identity: this.#identity() };
      return await executeCommand(this.#context, this.#command, attempt);
    } catch (error) {
      if (!(error instanceof NotOwner)) throw error;
      if (place === undefined) this.#place = this.#anyPlace();
      else if (ownership.ownerOf(place.resource) === 'here') await sleep(PAUSE_MS);
      else ownership.setOwner(place.resource, error.ownerAddress);
      return undefined;
    }
  }

  /** Returns the place of a new record if this instance owns no partition. */
  #anyPlace(): Place {
    const { newIdIn, partitions } = this.#context;
    const partition = randomInt(partitions);
    return placeIn(this.#context, partition, newIdIn(partition));
  }

  async #tryElsewhere(): Promise<Executed | undefined> {
    const { ownership, forwarder } = this.#context;
    const place = this.#place;
    const owner = place && ownership.ownerOf(place.resource);
    if (place === undefined || owner === 'here') return undefined;
    if (owner === undefined) {
      await this.#waitForOwner(place);
      return undefined;
    }
    this.#unownedSince = undefined;
    this.#correlationId ??= randomUUID();
    const sent = await forwarder.forward(owner.address, this.#toForwarded(place));
    if (sent.kind === 'executed') return sent.executed;
    await this.#learnFrom(sent, { place, address: owner.address });
    return undefined;
  }

  async #waitForOwner({ resource }: Place): Promise<void> {
    const { now, ownership } = this.#context;
    this.#unownedSince ??= now();
    if (now() - this.#unownedSince > UNOWNED_AFTER_MS)
      ownership.takeOver(resource, 'no owner is known');
    await sleep(PAUSE_MS);
  }

  async #learnFrom(
    sent: Exclude<ForwardResult, { kind: 'executed' }>,
    { place, address }: { readonly place: Place; readonly address: string },
  ): Promise<void> {
    const { ownership } = this.#context;
    if (sent.kind === 'silent' || sent.kind === 'unknown') this.#isRepeat = true;
    if (sent.kind === 'unreachable' || sent.kind === 'silent') {
      ownership.takeOver(place.resource, sent.kind);
    } else if (sent.kind === 'unknown') {
      await sleep(PAUSE_MS);
    } else if (sent.ownerAddress === undefined || sent.ownerAddress === address) {
      // The owner named in the log is not the owner, or the log names no owner: this instance takes the partition over.
      ownership.takeOver(place.resource, 'no owner');
    } else {
      ownership.setOwner(place.resource, sent.ownerAddress);
      await sleep(PAUSE_MS);
    }
  }

  #identity(): CommandIdentity {
    const { actor, commandId, commandHash, isFirstAttempt } = this.#command;
    const administratorId = administratorOf(actor.id);
    return {
      commandId,
      commandHash,
      correlationId: this.#correlationId,
      isRepeat: this.#isRepeat,
      ...(isFirstAttempt === true && { isFirstAttempt }),
      ...(administratorId !== undefined && { administratorId }),
    };
  }

  #toForwarded({ partition, id }: Place): ForwardedCommand {
    const { model, actor, body, conditions, deadline, isDecided } = this.#command;
    return {
      action: this.#definition.name,
      entityType: model.name,
      id,
      partition,
      actorId: actor.id,
      ...(isDecided ? {} : { isChecked: true }),
      body,
      conditions,
      identity: this.#identity(),
      remainingMs: deadline - this.#context.now(),
      directoryOffset: this.#context.follower.offset().toString(),
    };
  }
}
