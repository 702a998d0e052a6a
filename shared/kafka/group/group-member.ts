/**
 * Who takes care of what, agreed among the live processes of one kind through a Kafka group. A group member reads no
 * messages: resources are names, and what an assignment means is up to the caller.
 *
 *   joining ──assigned──▶ member ──heartbeat──▶ member ──another joins under our address──▶ which lives longer?
 *      ▲                    │                                                                 │        │
 *      ├────────────────────┘ somebody came or went, or the coordinator forgot us             │        └─ it: crash
 *      └──────────────────────────────────────────────────────────────────────────────────────┘ we do
 *
 * Under one address only one process may live. One that was killed and starts again replaces what it was, which never
 * notices. Of two that live each notices when the other one joins; then the older one takes the address back, and the
 * younger one ends.
 *
 * An assignment says who should hold a resource, never that nobody else acts on it: a paused member finds out late.
 * Whoever acts on a resource needs a fence of its own (the log's, a compare-and-set, a transactional id).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from 'kafkajs/src/broker/index.js';
import apiKeys from 'kafkajs/src/protocol/requests/apiKeys.js';
import { requests } from 'kafkajs/src/protocol/requests/index.js';
import type { Logger } from 'pino';
import { Unavailable } from '../../domain/errors.ts';
import { createKafkaConnection, type KafkaAddress, type KafkaConnection } from '../connection.ts';
import { AddressTaken } from './address-taken.ts';
import { assignResources } from './assign-resources.ts';
import {
  type EncodedAssignment,
  type GroupAssignment,
  readAssignment,
} from './member-assignment.ts';
import {
  beginLife,
  encodeMemberMetadata,
  findNamesake,
  isOlder,
  readMemberMetadata,
} from './member-metadata.ts';

export interface GroupOptions {
  readonly groupId: string;
  readonly resources: readonly string[];
  /** Where the others reach this member; told to all of them. No other process that lives may have it. */
  readonly address: string;
  /** What this member holds at this moment, and since when; the higher number is newer. */
  readonly claims: () => ReadonlyMap<string, bigint>;
  /** Told of every assignment, also of one that changes nothing. */
  readonly onAssigned: (assignment: GroupAssignment) => void;
  /** Told of AddressTaken, or of a bug: nothing goes on after it. */
  readonly crash: (error: unknown) => void;
}

export interface GroupMember {
  /** When a question was asked to which the group answered that its newest assignment stands; ms since 1970, or 0. */
  confirmedAt(): number;
  /** The group answers: it did the last time, and that was a moment ago. */
  isConnected(): boolean;
  /** Leaves, so that the others take over at once instead of after the session's time-out. */
  close(): Promise<void>;
}

/** Brokers take no less. */
const SESSION_TIMEOUT_MS = 6_000;
/** How long a join waits for members that do not come back. */
const REBALANCE_TIMEOUT_MS = 3_000;
const HEARTBEAT_MS = 300;
/** Longer than a join that waits for members that do not come back. */
const SILENT_AFTER_MS = 5_000;
const RETRY_AFTER_MS = 300;
/** In which a process that lives under our address has noticed that we joined, and has taken it back. */
const HEARTBEATS_IN_DOUBT = 2;
/** Where a person has to change something first. */
const RETRY_AFTER_REFUSAL_MS = 2_000;
const PROTOCOL = 'annals-resources';
/** Answers of a coordinator that only mean: join again; after the last one if the address is ours. */
const rejoin: ReadonlySet<string> = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'FENCED_INSTANCE_ID',
]);

export function joinGroup(address: KafkaAddress, options: GroupOptions, log: Logger): GroupMember {
  return new Member(createKafkaConnection(address, log), options, log);
}

interface Joined {
  readonly generationId: number;
  readonly assignment: GroupAssignment;
}

class Member implements GroupMember {
  readonly #connection: KafkaConnection;
  readonly #options: GroupOptions;
  readonly #log: Logger;
  readonly #running: Promise<void>;
  readonly #stopping = new AbortController();
  #memberId = '';
  #confirmedAt = 0;
  #isAway = false;
  #closing: Promise<void> | undefined;
  readonly #life = beginLife();
  /** Another process may live under our address: nothing is done before it had time to take it back. */
  #isInDoubt: boolean | undefined;
  /** Another process has joined under our address. */
  #isReplaced = false;

  constructor(connection: KafkaConnection, options: GroupOptions, log: Logger) {
    this.#connection = connection;
    this.#options = options;
    this.#log = log;
    this.#running = this.#run();
  }

  readonly confirmedAt = (): number => this.#confirmedAt;
  readonly isConnected = (): boolean =>
    !this.#isAway && Date.now() - this.#confirmedAt < SILENT_AFTER_MS;

  // Handed on as it is by whoever stops a service.
  readonly close = (): Promise<void> => {
    this.#closing ??= this.#leave();
    return this.#closing;
  };

  async #leave(): Promise<void> {
    const { groupId } = this.#options;
    this.#stopping.abort();
    const memberId = this.#memberId;
    if (memberId !== '') {
      await this.#ask((broker) => broker.leaveGroup({ groupId, memberId })).catch(() => undefined);
    }
    await this.#connection.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#takePart();
      } catch (err) {
        if (this.#stopping.signal.aborted) return;
        if (!(err instanceof Unavailable)) return this.#options.crash(err);
        this.#isAway = true;
        await this.#pause(this.#tellWhy(err));
      }
    }
  }

  async #takePart(): Promise<void> {
    const { address, groupId } = this.#options;
    this.#isInDoubt ??= (await findNamesake(this.#connection, groupId, address)) !== undefined;
    if (this.#isReplaced && !(await this.#isFirst())) return this.#pause(RETRY_AFTER_MS);
    this.#isReplaced = false;
    const joined = await this.#join();
    if (joined !== undefined) await this.#stayAlive(joined);
  }

  /** Whether the address is ours; false while nobody can tell. */
  async #isFirst(): Promise<boolean> {
    const { address, groupId } = this.#options;
    const namesake = await findNamesake(this.#connection, groupId, address);
    if (namesake === 'unknown') return false;
    if (namesake === undefined) return true;
    if (!isOlder(this.#life, namesake)) throw new AddressTaken(address);
    this.#log.error({ group: groupId, address }, 'another process came with the same address');
    return true;
  }

  /** Answers after how many milliseconds it is worth another try. */
  #tellWhy(err: Unavailable): number {
    const isRefused = err.remedy !== undefined;
    const level = isRefused ? 'warn' : 'info';
    this.#log[level]({ err, group: this.#options.groupId }, 'group not reachable');
    return isRefused ? RETRY_AFTER_REFUSAL_MS : RETRY_AFTER_MS;
  }

  /** Undefined: try again. */
  async #join(): Promise<Joined | undefined> {
    const { groupId, address: groupInstanceId } = this.#options;
    const joined = await this.#ask((broker) => {
      // Not through `broker.joinGroup`, which leaves the instance id out, as its neighbours below do.
      const createRequest = broker.lookupRequest(apiKeys.JoinGroup, requests.JoinGroup);
      return broker.connectionPool.send(
        createRequest({
          groupId,
          sessionTimeout: SESSION_TIMEOUT_MS,
          rebalanceTimeout: REBALANCE_TIMEOUT_MS,
          memberId: this.#memberId,
          // A process that was killed and is there again replaces itself: nobody waits for its session to end.
          groupInstanceId,
          protocolType: PROTOCOL,
          groupProtocols: [{ name: PROTOCOL, metadata: this.#metadata() }],
        }),
      );
    });
    if (joined === undefined) return undefined;
    const { generationId, memberId, leaderId, members } = joined;
    this.#memberId = memberId;
    const groupAssignment = leaderId === memberId ? this.#assign(members) : [];
    const askedAt = Date.now();
    const synced = await this.#ask((broker) => {
      const createRequest = broker.lookupRequest(apiKeys.SyncGroup, requests.SyncGroup);
      return broker.connectionPool.send(
        createRequest({ groupId, generationId, memberId, groupInstanceId, groupAssignment }),
      );
    });
    if (synced === undefined || this.#stopping.signal.aborted) return undefined;
    this.#confirm(askedAt);
    return { generationId, assignment: readAssignment(synced.memberAssignment) };
  }

  async #stayAlive({ generationId, assignment }: Joined): Promise<void> {
    const { groupId, address: groupInstanceId, onAssigned } = this.#options;
    let doubtful = this.#isInDoubt === true ? HEARTBEATS_IN_DOUBT : 0;
    if (doubtful === 0) onAssigned(assignment);
    while (!this.#stopping.signal.aborted) {
      await this.#pause(HEARTBEAT_MS);
      const memberId = this.#memberId;
      const askedAt = Date.now();
      const alive = await this.#ask((broker) => {
        const createRequest = broker.lookupRequest(apiKeys.Heartbeat, requests.Heartbeat);
        return broker.connectionPool.send(
          createRequest({ groupId, groupGenerationId: generationId, memberId, groupInstanceId }),
        );
      });
      if (alive === undefined) return;
      this.#confirm(askedAt);
      if (doubtful === 0) continue;
      doubtful -= 1;
      if (doubtful > 0) continue;
      this.#isInDoubt = false;
      onAssigned(assignment);
    }
  }

  #confirm(askedAt: number): void {
    this.#confirmedAt = askedAt;
    this.#isAway = false;
  }

  #metadata(): Buffer {
    const { address, claims } = this.#options;
    const held = [...claims()].map(([resource, since]) => [resource, since.toString()]);
    return encodeMemberMetadata({ address, claims: Object.fromEntries(held), life: this.#life });
  }

  #assign(members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[]) {
    const known = members.map(({ memberId, memberMetadata }) => ({
      id: memberId,
      metadata: readMemberMetadata(memberMetadata),
    }));
    const claimants = known.map(({ id, metadata }) => ({
      id,
      claims: new Map(Object.entries(metadata.claims).map(([name, at]) => [name, BigInt(at)])),
    }));
    const assigned = assignResources(claimants, this.#options.resources);
    const addressOf = new Map(known.map(({ id, metadata }) => [id, metadata.address]));
    const addresses = [...assigned].map(([name, id]) => [name, addressOf.get(id) ?? '']);
    return known.map(({ id }) => {
      const encoded: EncodedAssignment = {
        mine: [...assigned].filter(([, owner]) => owner === id).map(([name]) => name),
        addresses: Object.fromEntries(addresses),
        members: [...addressOf.values()],
      };
      return { memberId: id, memberAssignment: Buffer.from(JSON.stringify(encoded)) };
    });
  }

  /** Undefined when the coordinator only says that we have to join again. */
  #ask<Answer>(request: (broker: Broker) => Promise<Answer>): Promise<Answer | undefined> {
    return this.#connection.onCoordinator(this.#options.groupId, async (broker) => {
      try {
        return await request(broker);
      } catch (error) {
        const type = typeOf(error);
        if (!rejoin.has(type)) throw error;
        this.#isReplaced = type === 'FENCED_INSTANCE_ID';
        if (this.#isReplaced || type === 'UNKNOWN_MEMBER_ID') this.#memberId = '';
        return undefined;
      }
    });
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

function typeOf(error: unknown): string {
  return error instanceof Error && 'type' in error ? String(error.type) : '';
}
