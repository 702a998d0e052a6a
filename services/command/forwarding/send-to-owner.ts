/**
 * Sends a command to the owner of its record, whichever instance the client asked.
 *
 *   owner known? ──here──▶ decide ──done──────────────────────────▶ readable? ──▶ answer
 *     ▲  ▲                   │ another's fence
 *     │  └───────────────────┘
 *     │  ──elsewhere──▶ send ──done, refused──────────────────────▶
 *     │                   │ not the owner: ask whom it names
 *     │                   │ connection refused, silent for a second: take the partition over
 *     └───────────────────┘ answer lost: ask again, as a repeat
 *
 * A command that may have been carried out is sent again as a repeat: with the same identity, so that the next owner
 * first looks for it in the log. A forwarded command is never forwarded again, so there are no loops. The actor's rights
 * are read again before the first attempt, and for the decision, because the command may have waited for long. A repeat may have been carried
 * out: this instance does not read them again for it, and where an owner does, it refuses only what the log does not have.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { toConsistencyToken } from '../../../shared/http/consistency-token.ts';
import { administratorOf } from '../../../shared/runtime/trace.ts';
import { NotOwner } from '../writer/not-owner.ts';
import type { CommandDefinition } from './define-command.ts';
import type { CommandForwarder, ForwardResult } from './forward-command.ts';
import type { ForwardedCommand } from './forwarded-command.ts';
import type { Ownership } from './ownership.ts';
import type { JsonObject } from './read-body.ts';
import type { ActorNow, Executed, WriteRequest } from './write-request.ts';

export interface Command<Body extends object = JsonObject>
  extends Omit<WriteRequest<Body>, 'identity'> {
  /** Id of the record; undefined for a new one. */
  readonly id?: string;
  readonly commandId: string | null;
  readonly commandHash: string | null;
  /** Whether to wait until reads see the event. False: answer as soon as the log has it. */
  readonly untilReadable: boolean;
  /**
   * A step of an action that was decided before, or of a log-in whose rights are checked elsewhere: this instance does
   * not look the user up again (docs/adr/0028-check-permissions-until-the-work-ends.md).
   */
  readonly isDecided?: true;
}

/** The parts of a command that no client asked for, which is answered as soon as the log has it. */
export const unasked = {
  conditions: {},
  commandId: null,
  commandHash: null,
  untilReadable: false,
} as const;

export interface CommandAnswer extends Omit<Executed, 'partition' | 'offset'> {
  /** The token that makes reads on any instance wait for this write. */
  readonly consistencyToken: string;
}

/** Where a command is decided, and the id of its record. */
export interface Place {
  /** Resource of the writer. */
  readonly resource: string;
  readonly partition: number;
  readonly id: string;
}

interface SendDeps {
  readonly ownership: Ownership;
  readonly forwarder: CommandForwarder;
  /** Undefined if a new record may go to any partition that this instance owns. */
  readonly placeOf: (command: Command) => Place | undefined;
  /** The partition of a new record if this instance owns none. */
  readonly anyPlace: () => Place;
  readonly execute: Execute;
  readonly untilReadable: (command: Command, executed: Executed) => Promise<void>;
  readonly directoryOffset: () => bigint;
  readonly actorNow: ActorNow;
  readonly now: () => number;
}

/** State of a command between attempts. */
interface Attempt {
  readonly place: Place | undefined;
  readonly identity: WriteRequest['identity'];
}

/** A command with the name of its definition. */
interface NamedCommand extends Command {
  readonly name: string;
}

export type Execute = (command: NamedCommand, attempt: Attempt) => Promise<Executed>;

const PAUSE_MS = 25;
/** The group assigns the partition within this time. After it, the instance that has the command takes it over. */
const NOBODY_AFTER_MS = 1_000;

/** Sends a command to its owner, and resolves when reads see the result. */
export type SendToOwner = <Body extends object>(
  definition: CommandDefinition<string, Body>,
  command: Command<NoInfer<Body>>,
) => Promise<CommandAnswer>;

/** What it takes to send commands. */
export interface Sender {
  readonly directory: Directory;
  readonly sendToOwner: SendToOwner;
  /** Time limit of a write. */
  readonly timeoutMs: number;
  readonly now: () => number;
}

export function createSendToOwner(deps: SendDeps): SendToOwner {
  return async ({ name }, { body, ...rest }) => {
    const actor = rest.isDecided ? rest.actor : deps.actorNow(rest.actor);
    const command = { ...rest, actor, name, body: { ...(body as object) } };
    const executed = await new Sending(deps, command).run();
    await deps.untilReadable(command, executed);
    const { partition, offset = -1n, ...outcome } = executed;
    const { log } = command.model.definition;
    const consistencyToken = toConsistencyToken({ log, partition, offset });
    return { ...outcome, consistencyToken };
  };
}

class Sending {
  readonly #deps: SendDeps;
  readonly #command: NamedCommand;
  #place: Place | undefined;
  #correlationId: string | null = null;
  #isRepeat = false;
  #nobodySince: number | undefined;

  constructor(deps: SendDeps, command: NamedCommand) {
    this.#deps = deps;
    this.#command = command;
    this.#place = deps.placeOf(command);
  }

  async run(): Promise<Executed> {
    for (;;) {
      this.#requireTime();
      const executed = (await this.#tryHere()) ?? (await this.#tryElsewhere());
      if (executed !== undefined) return executed;
    }
  }

  #requireTime(): void {
    if (this.#deps.now() < this.#command.deadline) return;
    throw new Unavailable(
      this.#isRepeat
        ? 'the log did not take the change in time; it may yet'
        : 'nobody decides about this record at the moment',
    );
  }

  /** Undefined if this instance is not the owner. */
  async #tryHere(): Promise<Executed | undefined> {
    const { ownership, execute } = this.#deps;
    const place = this.#place;
    if (place !== undefined && ownership.ownerOf(place.resource) !== 'here') return undefined;
    try {
      return await execute(this.#command, { place, identity: this.#identity() });
    } catch (error) {
      if (!(error instanceof NotOwner)) throw error;
      if (place === undefined) this.#place = this.#deps.anyPlace();
      else if (ownership.ownerOf(place.resource) === 'here') await sleep(PAUSE_MS);
      else ownership.noteOwner(place.resource, error.ownerAddress);
      return undefined;
    }
  }

  async #tryElsewhere(): Promise<Executed | undefined> {
    const { ownership, forwarder } = this.#deps;
    const place = this.#place;
    const owner = place && ownership.ownerOf(place.resource);
    if (place === undefined || owner === 'here') return undefined;
    if (owner === undefined) {
      await this.#waitForOwner(place);
      return undefined;
    }
    this.#nobodySince = undefined;
    this.#correlationId ??= randomUUID();
    const sent = await forwarder.forward(owner.address, this.#toForwarded(place));
    if (sent.kind === 'executed') return sent.executed;
    await this.#learnFrom(sent, { place, address: owner.address });
    return undefined;
  }

  async #waitForOwner({ resource }: Place): Promise<void> {
    const { now, ownership } = this.#deps;
    this.#nobodySince ??= now();
    if (now() - this.#nobodySince > NOBODY_AFTER_MS) ownership.takeOver(resource, 'nobody owns it');
    await sleep(PAUSE_MS);
  }

  async #learnFrom(
    sent: Exclude<ForwardResult, { kind: 'executed' }>,
    { place, address }: { readonly place: Place; readonly address: string },
  ): Promise<void> {
    const { ownership } = this.#deps;
    if (sent.kind === 'silent' || sent.kind === 'unknown') this.#isRepeat = true;
    if (sent.kind === 'unreachable' || sent.kind === 'silent') {
      ownership.takeOver(place.resource, sent.kind);
    } else if (sent.kind === 'unknown') {
      await sleep(PAUSE_MS);
    } else if (sent.ownerAddress === undefined || sent.ownerAddress === address) {
      // The owner named in the log refuses, or there is none: this instance takes the partition over.
      ownership.takeOver(place.resource, 'no owner');
    } else {
      ownership.noteOwner(place.resource, sent.ownerAddress);
      await sleep(PAUSE_MS);
    }
  }

  #identity(): WriteRequest['identity'] {
    const { actor, commandId, commandHash } = this.#command;
    const administratorId = administratorOf(actor.id);
    return {
      commandId,
      commandHash,
      correlationId: this.#correlationId,
      isRepeat: this.#isRepeat,
      ...(administratorId !== undefined && { administratorId }),
    };
  }

  #toForwarded({ partition, id }: Place): ForwardedCommand {
    const { name, model, actor, body, conditions, deadline, isDecided } = this.#command;
    return {
      action: name,
      entityType: model.name,
      id,
      partition,
      actorId: actor.id,
      ...(isDecided ? {} : { isChecked: true }),
      body,
      conditions,
      identity: this.#identity(),
      remainingMs: deadline - this.#deps.now(),
      directoryOffset: this.#deps.directoryOffset().toString(),
    };
  }
}
