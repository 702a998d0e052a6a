/**
 * Tests the real writer against a model of the fenced log, with random schedules. Three instances share one partition
 * that obeys Kafka's rules, behind a network that loses, duplicates and delays requests. An attacker who may write to
 * the topic but lacks the key appends forged entries. Time is virtual: the network advances in steps that are drawn
 * from a seed.
 */
import { pino } from 'pino';
import { describe, expect, inject, it } from 'vitest';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { decideCreate, decideUpdate } from '../../../shared/domain/record/decide.ts';
import { evolve } from '../../../shared/domain/record/evolve.ts';
import { changedBy } from '../../../shared/domain/record/record-event.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { emptyFold, type FoldState } from '../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { encodeEvent, encodeFence } from '../../../shared/events/log-entry-codec.ts';
import { baselineVersions } from '../../../shared/events/schema-versions.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { noQuarantine } from '../../../test/support/no-quarantine.ts';
import { Backlog } from './backlog.ts';
import type { LogPosition } from './log-tail.ts';
import { CommandMemory, type FoundCommand } from './memory/command-memory.ts';
import { RecordCache } from './memory/record-cache.ts';
import { NotOwner } from './not-owner.ts';
import type { PartitionLog } from './partition-log.ts';
import { PartitionWriter } from './partition-writer.ts';
import type { Submission } from './submission.ts';

/** Ten times as many in `npm run chaos`. */
const SCHEDULES = 200 * inject('seedShare');
const STEPS = 250;
const logger = pino({ level: 'silent' });

describe('the writer behind a network that loses, duplicates and delays requests', () => {
  it(`acknowledges exactly the events that the fold accepts in ${SCHEDULES} random schedules`, async () => {
    const totals = {
      acknowledged: 0,
      replayed: 0,
      refused: 0,
      takeOvers: 0,
      skipped: 0,
      forged: 0,
    };
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const run = await runSchedule(seed);
      for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += run[key];
    }
    // Schedules without both fenced-off and accepted writes would prove nothing.
    expect(totals.acknowledged).toBeGreaterThan(SCHEDULES * 10);
    expect(totals.replayed).toBeGreaterThan(SCHEDULES / 10);
    expect(totals.takeOvers).toBeGreaterThan(SCHEDULES);
    expect(totals.skipped).toBeGreaterThan(totals.forged + SCHEDULES / 10);
    expect(totals.forged).toBeGreaterThan(SCHEDULES);
  }, 240_000);
});

async function runSchedule(seed: number) {
  const random = createRandom(seed);
  const network = createNetwork(random);
  const stored: StoredEntry[] = [];
  const projector = createProjector(stored);
  const totals = { acknowledged: 0, replayed: 0, refused: 0, takeOvers: 0, skipped: 0, forged: 0 };
  const acknowledged: Acknowledged[] = [];
  const instances = [0, 1, 2].map(() => startInstance({ network, stored, projector, totals }));

  for (let step = 0; step < STEPS; step++) {
    network.step();
    if (random.below(4) === 0) projector.advance(random.below(6));
    const instance = instances[random.below(instances.length)];
    if (instance !== undefined) disturb(instance);
    if (random.below(25) === 0) totals.forged += forge(stored, random);
    await turn();
  }
  await drain(200);
  check();
  for (const { writer } of instances) void writer.close();
  await drain(70);
  return totals;

  /** Only the resumed instance runs. The others are paused until later. */
  function disturb({ writer, resume }: (typeof instances)[number]): void {
    if (writer.isOwned() && random.below(2) === 0) submitSome(writer);
    if (random.below(40) === 0) resume();
    if (random.below(50) === 0) writer.acquire();
    if (random.below(40) === 0) writer.checkOwnership();
  }

  function submitSome(writer: PartitionWriter): void {
    for (let count = random.below(4); count >= 0; count--) {
      const submission = randomSubmission(random);
      submit(writer, submission);
      // A client without a response repeats its request on any instance, at any time.
      if (submission.commandId === null || random.below(2) === 0) continue;
      network.after(random.below(60), () => {
        const another = instances[random.below(instances.length)];
        if (another !== undefined) submit(another.writer, submission);
      });
    }
  }

  /** Submits to another instance if this one is not the owner. */
  function submit(writer: PartitionWriter, submission: Submission): void {
    writer.submit(submission).then(
      ({ state, offset, event, isReplay }) => {
        if (event !== undefined && offset !== undefined) {
          totals.acknowledged += 1;
          acknowledged.push({ eventId: event.eventId, offset, state });
        }
        if (isReplay) {
          totals.replayed += 1;
          acknowledged.push({ commandId: String(submission.commandId), state });
        }
      },
      (error: unknown) => {
        totals.refused += 1;
        const next = instances.find((instance) => instance.writer.isOwned());
        if (error instanceof NotOwner && next !== undefined) submit(next.writer, submission);
      },
    );
  }

  async function drain(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      network.step();
      projector.advance(10);
      for (const instance of instances) instance.resume();
      await turn();
    }
  }

  function check(): void {
    const taken = foldAll(stored);
    totals.skipped += stored.length - taken.counted;
    for (const { eventId, commandId, offset, state } of acknowledged) {
      const at = taken.events.get(eventId ?? taken.byCommand.get(commandId ?? '') ?? '');
      expect(at?.state, `seed ${seed}: acknowledged state differs from the fold`).toEqual(state);
      if (offset === undefined) continue;
      expect(at?.offset, `seed ${seed}: acknowledged event ${eventId} is lost`).toBe(offset);
    }
  }
}

/** Identified by its event, or by its command if it is a repeat with the first attempt's outcome. */
interface Acknowledged {
  readonly eventId?: string;
  readonly commandId?: string;
  readonly offset?: bigint;
  readonly state: RecordState;
}

/** Folds the whole log like a reader, and checks that the versions of every record are 1, 2, 3 … */
function foldAll(stored: readonly StoredEntry[]) {
  const events = new Map<string, { readonly offset: bigint; readonly state: RecordState }>();
  const states = new Map<string, RecordState>();
  const byCommand = new Map<string, string>();
  let position: FoldState = emptyFold;
  let counted = 0;
  stored.forEach((message, index) => {
    const { entry, state: next } = takeMessage(position, message);
    if (entry === undefined) return;
    position = next;
    expect(message.proof, 'no forged entry counts').not.toMatch(/none|wrong/);
    counted += 1;
    if (entry.kind === 'fence') return;
    const { event } = entry;
    const before = states.get(event.recordId);
    expect(event.version, 'the history of a record is linear').toBe((before?.version ?? 0) + 1);
    expect(events.has(event.eventId), 'an event counts once').toBe(false);
    const state = evolve(before, event);
    states.set(event.recordId, state);
    if (event.commandId !== null) {
      expect(byCommand.has(event.commandId), 'a command is carried out once').toBe(false);
      byCommand.set(event.commandId, event.eventId);
    }
    events.set(event.eventId, { offset: BigInt(index), state });
  });
  return { events, byCommand, counted };
}

interface Simulation {
  readonly network: ReturnType<typeof createNetwork>;
  readonly stored: StoredEntry[];
  readonly projector: ReturnType<typeof createProjector>;
  readonly totals: { takeOvers: number };
}

let ids = 0;

function startInstance({ network, stored, projector, totals }: Simulation) {
  let resume: () => void = () => undefined;
  const cache = new RecordCache({
    read: async ({ id }) => {
      // The query sees the current state of Postgres. Its result arrives some steps later.
      const found = projector.state(id);
      await network.delay();
      return found;
    },
    projected: () => projector.position().offset,
    waitProjected: (offset) => projector.passed(offset),
    maxEntries: 3,
  });
  const projected = () => projector.position().offset;
  const writer = new PartitionWriter({
    log: network.connect(stored),
    cache,
    commands: new CommandMemory({ projected, maxEntries: 3 }),
    backlog: new Backlog({ projected, maxBytes: 1_000_000 }),
    projected,
    waitProjected: (offset) => projector.passed(offset),
    async findCommand({ commandId }) {
      const found = projector.command(String(commandId));
      await network.delay();
      return found;
    },
    quarantine: noQuarantine,
    requireRoom: () => {},
    findModel: () => undefined,
    startFrom: async () => projector.position(),
    owner: 'instance',
    address: 'http://127.0.0.1:1',
    newToken: () => {
      totals.takeOvers += 1;
      return `t${++ids}`;
    },
    seals: () => true,
    versions: () => baselineVersions,
    obstacle: () => undefined,
    newEventId: () => `e${++ids}`,
    now: () => 0,
    limits: { maxEvents: 4, maxBytes: 900_000 },
    logger,
    pause: () =>
      new Promise<void>((resolve) => {
        resume = resolve;
      }),
  });
  writer.acquire();
  return { writer, resume: () => resume() };
}

function randomSubmission(random: Random): Submission {
  const base = {
    entityType: 'Contact',
    actorId: 'u1',
    commandId: random.below(3) === 0 ? `c${++ids}` : null,
    commandHash: 'hash',
    correlationId: null,
    isRepeat: false,
    deadline: 2_000_000_000,
  };
  const value = `v${++ids}`;
  if (random.below(3) === 0) {
    const recordId = `new${ids}`;
    return {
      ...base,
      recordId,
      isCreation: true,
      decide: (state) => decideCreate(state, { lastName: value }),
    };
  }
  const recordId = `r${random.below(5)}`;
  return {
    ...base,
    recordId,
    isCreation: false,
    decide: (state) =>
      state === undefined
        ? decideCreate(state, { lastName: value })
        : decideUpdate(state, {
            lastName: random.below(5) === 0 ? (state.values['lastName'] ?? null) : value,
          }),
  };
}

/** Simulates a Postgres that has folded the log up to some offset. */
function createProjector(stored: readonly StoredEntry[]) {
  const states = new Map<string, RecordState>();
  const commands = new Map<string, FoundCommand>();
  let position: LogPosition = { ...emptyFold, offset: 0n };
  let waiting: { readonly offset: bigint; readonly resolve: () => void }[] = [];
  return {
    position: () => position,
    state: (id: string) => states.get(id),
    command: (commandId: string) => commands.get(commandId),
    passed: (offset: bigint) =>
      position.offset > offset
        ? Promise.resolve()
        : new Promise<void>((resolve) => waiting.push({ offset, resolve })),
    advance(count: number): void {
      for (const entry of stored.slice(Number(position.offset)).slice(0, count)) project(entry);
      waiting = waiting.filter(({ offset, resolve }) => {
        if (position.offset > offset) resolve();
        return position.offset <= offset;
      });
    },
  };

  function project(message: StoredEntry): void {
    const { entry, state } = takeMessage(position, message);
    if (entry?.kind === 'event') apply(entry.event);
    position = { ...state, offset: position.offset + 1n };
  }

  function apply(event: LoggedEvent): void {
    const state = evolve(states.get(event.recordId), event);
    states.set(event.recordId, state);
    if (event.commandId !== null)
      commands.set(event.commandId, {
        hash: event.commandHash,
        state,
        changed: changedBy(event),
      });
  }
}

/** Simulates a network that delays everything by some steps. */
function createNetwork(random: Random) {
  let flying: { steps: number; readonly arrive: () => void }[] = [];
  const after = (steps: number, arrive: () => void): void => {
    flying.push({ steps, arrive });
  };
  return {
    after,
    step(): void {
      const due = flying.filter((message) => --message.steps <= 0);
      flying = flying.filter((message) => message.steps > 0);
      for (const message of due) message.arrive();
    },
    delay: () => new Promise<void>((resolve) => after(random.below(4), resolve)),
    connect: (stored: StoredEntry[]): PartitionLog => ({
      append: (messages) => {
        const entries = messages.map(({ value, seals = false }) => ({
          value,
          proof: seals ? ('seals' as const) : ('valid' as const),
        }));
        return send({ random, after, append: () => appendTo(stored, entries) });
      },
      read: async (from) => readSome(stored, from, 1 + random.below(5)),
      end: async () => BigInt(stored.length),
      close: async () => undefined,
    }),
  };
}

interface Sending {
  readonly random: Random;
  readonly after: (steps: number, arrive: () => void) => void;
  readonly append: () => bigint;
}

/** A request arrives once, several times, much later or never. Its single response may be lost. */
function send({ random, after, append }: Sending): Promise<bigint> {
  const isAnswerLost = random.chance(0.12);
  const copies = random.chance(0.05)
    ? 0
    : 1 + (random.chance(0.15) ? 1 : 0) + (random.chance(0.05) ? 1 : 0);
  return new Promise<bigint>((resolve, reject) => {
    for (let copy = 0; copy < copies; copy++) {
      after(random.below(12) + (random.chance(0.05) ? 60 : 0), () => {
        const offset = append();
        if (!isAnswerLost) after(random.below(6), () => resolve(offset));
      });
    }
    after(25 + random.below(30), () => reject(new Unavailable('no response in time')));
  });
}

/** A message in the log, and the result of checking its authentication code. */
type StoredEntry = Pick<ReadMessage, 'proof'> & { readonly value: Buffer };

function appendTo(stored: StoredEntry[], entries: readonly StoredEntry[]): bigint {
  const offset = BigInt(stored.length);
  stored.push(...entries);
  return offset;
}

/**
 * Appends a forged entry of an attacker who has read the topic: the writer's next event, or a fence that follows the
 * writer's.
 */
function forge(stored: StoredEntry[], random: Random): number {
  const proof = random.below(2) === 0 ? 'none' : 'wrong';
  let position: FoldState = emptyFold;
  let last: LoggedEvent | undefined;
  for (const message of stored) {
    const { entry, state } = takeMessage(position, message);
    position = state;
    if (entry?.kind === 'event') last = entry.event;
  }
  const { token, sequence } = position;
  if (token === null) return 0;
  if (last === undefined || random.below(3) === 0) {
    const fence = { token: `f${++ids}`, prevToken: token, owner: 'x', address: 'x', occurredAt: 0 };
    return stored.push({ proof, value: encodeFence(fence) }) && 1;
  }
  const { version } = last;
  const event = {
    ...last,
    eventId: `f${++ids}`,
    token,
    sequence: sequence + 1,
    version: version + 1,
  };
  return stored.push({ proof, value: encodeEvent(event) }) && 1;
}

function readSome(stored: readonly StoredEntry[], from: bigint, count: number) {
  const entries = stored.slice(Number(from), Number(from) + count);
  return {
    next: from + BigInt(entries.length),
    messages: entries.map((entry, index) => ({
      ...entry,
      offset: from + BigInt(index),
      key: null,
      timestamp: 0,
    })),
  };
}

interface Random {
  readonly below: (limit: number) => number;
  readonly chance: (probability: number) => boolean;
}

function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  return {
    below: (limit) => Math.floor(next() * limit) % limit,
    chance: (probability) => next() < probability,
  };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
