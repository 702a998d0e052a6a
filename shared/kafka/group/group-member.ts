/**
 * A member of a Kafka group, through which the live processes of one kind share resources. The member does not read
 * messages: resources are names, and the caller decides what an assignment means.
 *
 *   joining ──assigned──▶ member ──heartbeat──▶ member ──another joins with our address──▶ which process is older?
 *      ▲                    │                                                                 │        │
 *      ├────────────────────┘ membership changed, or the coordinator lost us                  │        └─ other: crash
 *      └──────────────────────────────────────────────────────────────────────────────────────┘ ours
 *
 * An address belongs to one process. A process that restarts after a kill replaces its former membership. If two live
 * processes have the same address, each detects it when the other one joins. The older process then takes the address
 * back, and the younger one exits.
 *
 * An assignment specifies which member should hold a resource. Another member may still act on it, because a paused
 * member receives the change late. Actions on a resource therefore need a fence (the fence of the log, a
 * compare-and-set, or a transactional id).
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker, SentRequests } from 'kafkajs/src/broker/index.js';
import apiKeys from 'kafkajs/src/protocol/requests/apiKeys.js';
import { requests } from 'kafkajs/src/protocol/requests/index.js';
import type { Logger } from 'pino';
import { Unavailable } from '../../domain/errors.ts';
import { readVersions } from '../../events/schema-versions.ts';
import { createKafkaConnection, type KafkaAddress, type KafkaConnection } from '../connection.ts';
import { assignResources } from './assign-resources.ts';
import {
  beginLife,
  type EncodedAssignment,
  encodeMemberMetadata,
  findNamesake,
  type GroupAssignment,
  isOlder,
  readAssignment,
  readMemberMetadata,
} from './member-metadata.ts';

export interface GroupOptions {
  readonly groupId: string;
  readonly resources: readonly string[];
  /** This member's address, which all members receive. Unique among live processes. */
  readonly address: string;
  /** The resources that this member holds now. A higher number means that the resource was taken later. */
  readonly claims: () => ReadonlyMap<string, bigint>;
  /** Called for every assignment, including one without changes. */
  readonly onAssigned: (assignment: GroupAssignment) => void;
  /** Called with AddressTaken or with a bug. Afterwards the member is inactive. */
  readonly crash: (error: unknown) => void;
}

export interface GroupMember {
  /**
   * Send time of the last request with which the group confirmed the current assignment, in milliseconds since 1970; 0
   * before the first such request.
   */
  confirmedAt(): number;
  /** Returns whether the group responded to the latest request, and did so recently. */
  isConnected(): boolean;
  /** Leaves the group, so that other members take over immediately instead of after the session timeout. */
  close(): Promise<void>;
}

/** The minimum that brokers accept. */
const SESSION_TIMEOUT_MS = 6_000;
/** How long the coordinator waits for members that have not joined yet. */
const REBALANCE_TIMEOUT_MS = 3_000;
const HEARTBEAT_MS = 300;
/** Longer than a join that waits for missing members. */
const SILENT_AFTER_MS = 5_000;
const RETRY_AFTER_MS = 300;
/** Number of heartbeats in which another live process with our address detects our join and takes the address back. */
const HEARTBEATS_IN_DOUBT = 2;
/** Pause after errors that an operator has to fix. */
const RETRY_AFTER_REFUSAL_MS = 2_000;
const PROTOCOL = 'annals-resources';
/** Coordinator errors that require a new join. FENCED_INSTANCE_ID requires one only if the address is ours. */
const rejoin: ReadonlySet<string> = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'FENCED_INSTANCE_ID',
]);

export function joinGroup(address: KafkaAddress, options: GroupOptions, log: Logger): GroupMember {
  return new Member(createKafkaConnection(address, log), options, log);
}

/** Thrown if an older live process has the same address. */
class AddressTaken extends Error {
  override readonly name = 'AddressTaken';

  constructor(address: string) {
    super(
      `another process already has the address ${address}: set a different INTERNAL_HOST and INTERNAL_PORT, or INTERNAL_ADVERTISED_HOST, for each process`,
    );
  }
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
  /**
   * True if another live process may have our address. The member then waits until that process has had time to take it
   * back.
   */
  #isInDoubt: boolean | undefined;
  /** Another process has joined with our address. */
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

  // Bound, because callers pass it as a function.
  readonly close = (): Promise<void> => {
    this.#closing ??= this.#leave();
    return this.#closing;
  };

  async #leave(): Promise<void> {
    const { groupId } = this.#options;
    this.#stopping.abort();
    const memberId = this.#memberId;
    if (memberId !== '') {
      await this.#send((broker) => broker.leaveGroup({ groupId, memberId })).catch(() => undefined);
    }
    await this.#connection.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#participate();
      } catch (err) {
        if (this.#stopping.signal.aborted) return;
        if (!(err instanceof Unavailable)) return this.#options.crash(err);
        this.#isAway = true;
        await this.#pause(this.#logOutage(err));
      }
    }
  }

  async #participate(): Promise<void> {
    const { address, groupId } = this.#options;
    this.#isInDoubt ??= (await findNamesake(this.#connection, groupId, address)) !== undefined;
    if (this.#isReplaced && !(await this.#isFirst())) return this.#pause(RETRY_AFTER_MS);
    this.#isReplaced = false;
    const joined = await this.#join();
    if (joined !== undefined) await this.#stayAlive(joined);
  }

  /** Returns whether the address is ours; false while that is unknown. */
  async #isFirst(): Promise<boolean> {
    const { address, groupId } = this.#options;
    const namesake = await findNamesake(this.#connection, groupId, address);
    if (namesake === 'unknown') return false;
    if (namesake === undefined) return true;
    if (!isOlder(this.#life, namesake)) throw new AddressTaken(address);
    this.#log.error({ group: groupId, address }, 'another process joined with the same address');
    return true;
  }

  /** Logs the error, and returns the pause before the next attempt in milliseconds. */
  #logOutage(err: Unavailable): number {
    const isRefused = err.remedy !== undefined;
    const level = isRefused ? 'warn' : 'info';
    this.#log[level]({ err, group: this.#options.groupId }, 'group not reachable');
    return isRefused ? RETRY_AFTER_REFUSAL_MS : RETRY_AFTER_MS;
  }

  /** Returns undefined if the member has to join again. */
  async #join(): Promise<Joined | undefined> {
    const { groupId, address: groupInstanceId } = this.#options;
    const joined = await this.#send((broker) =>
      // `broker.joinGroup` omits the instance id, as do the corresponding methods for the requests below.
      sendRequest(broker, 'JoinGroup', {
        groupId,
        sessionTimeout: SESSION_TIMEOUT_MS,
        rebalanceTimeout: REBALANCE_TIMEOUT_MS,
        memberId: this.#memberId,
        // A process that restarts after a kill replaces its former membership without waiting for the session
        // timeout.
        groupInstanceId,
        protocolType: PROTOCOL,
        groupProtocols: [{ name: PROTOCOL, metadata: this.#metadata() }],
      }),
    );
    if (joined === undefined) return undefined;
    const { generationId, memberId, leaderId, members } = joined;
    this.#memberId = memberId;
    const groupAssignment = leaderId === memberId ? this.#assign(members) : [];
    const sentAt = Date.now();
    const sync = { groupId, generationId, memberId, groupInstanceId, groupAssignment };
    const synced = await this.#send((broker) => sendRequest(broker, 'SyncGroup', sync));
    if (synced === undefined || this.#stopping.signal.aborted) return undefined;
    this.#confirm(sentAt);
    return { generationId, assignment: readAssignment(synced.memberAssignment) };
  }

  async #stayAlive({ generationId, assignment }: Joined): Promise<void> {
    const { groupId, address: groupInstanceId, onAssigned } = this.#options;
    let doubtfulHeartbeats = this.#isInDoubt === true ? HEARTBEATS_IN_DOUBT : 0;
    if (doubtfulHeartbeats === 0) onAssigned(assignment);
    while (!this.#stopping.signal.aborted) {
      await this.#pause(HEARTBEAT_MS);
      const memberId = this.#memberId;
      const heartbeat = { groupId, groupGenerationId: generationId, memberId, groupInstanceId };
      const sentAt = Date.now();
      const alive = await this.#send((broker) => sendRequest(broker, 'Heartbeat', heartbeat));
      if (alive === undefined) return;
      this.#confirm(sentAt);
      if (doubtfulHeartbeats === 0) continue;
      doubtfulHeartbeats -= 1;
      if (doubtfulHeartbeats > 0) continue;
      this.#isInDoubt = false;
      onAssigned(assignment);
    }
  }

  #confirm(sentAt: number): void {
    this.#confirmedAt = sentAt;
    this.#isAway = false;
  }

  #metadata(): Buffer {
    const { address, claims } = this.#options;
    const held = Object.fromEntries([...claims()].map(([name, since]) => [name, `${since}`]));
    return encodeMemberMetadata({ address, claims: held, life: this.#life, reads: readVersions });
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

  /** Returns undefined if the coordinator requires a new join. */
  #send<Answer>(request: (broker: Broker) => Promise<Answer>): Promise<Answer | undefined> {
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

/** Sends a request in the newest version that both the broker and kafkajs support. */
function sendRequest<Name extends keyof SentRequests>(
  broker: Broker,
  name: Name,
  content: SentRequests[Name]['content'],
): Promise<SentRequests[Name]['answer']> {
  const createRequest = broker.lookupRequest<Name>(apiKeys[name], requests[name]);
  return broker.connectionPool.send(createRequest(content));
}
