import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import {
  type GroupMember,
  type GroupOptions,
  joinGroup,
} from '../../shared/kafka/group/group-member.ts';
import type { GroupAssignment } from '../../shared/kafka/group/member-metadata.ts';
import { eventually } from '../support/eventually.ts';

const log = pino({ level: 'silent' });
const kafka = toKafkaAddress(inject('kafka'), 'group-test');
const resources = ['one', 'two', 'three', 'four'];

let groupId: string;
const opened: GroupMember[] = [];

interface Member extends GroupMember {
  readonly assignments: GroupAssignment[];
  /** The errors with which the member failed. */
  readonly crashes: unknown[];
  mine(): readonly string[];
}

function join(address: string, options: Partial<GroupOptions> = {}): Member {
  const assignments: GroupAssignment[] = [];
  const crashes: unknown[] = [];
  const member = joinGroup(
    kafka,
    {
      groupId,
      resources,
      address,
      claims: () => new Map([...(assignments.at(-1)?.mine ?? [])].map((name) => [name, 1n])),
      onAssigned: (assignment) => void assignments.push(assignment),
      crash: (error) => void crashes.push(error),
      ...options,
    },
    log,
  );
  opened.push(member);
  return {
    assignments,
    crashes,
    mine: () => [...(assignments.at(-1)?.mine ?? [])].toSorted(),
    confirmedAt: member.confirmedAt,
    isConnected: member.isConnected,
    close: member.close,
  };
}

const sorted = [...resources].toSorted();

/** Waits until the members own all resources together, at least one each or the given numbers. */
async function untilShared(
  members: readonly Member[],
  sizes: readonly number[],
  timeoutMs = 5_000,
) {
  const check = (): void => {
    const held = members.map((member) => member.mine());
    expect(held.map(({ length }) => length).toSorted()).toEqual(sizes.toSorted());
    expect(held.flat().toSorted()).toEqual(sorted);
  };
  await eventually(check, { timeoutMs, intervalMs: 10 });
}

beforeEach(() => {
  groupId = `group-${randomUUID()}`;
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((member) => member.close()));
});

describe('members of a group', () => {
  it('own everything when they are alone and are confirmed repeatedly', async () => {
    const begin = Date.now();
    const alone = join('http://a');
    await untilShared([alone], [4]);

    expect(alone.assignments.at(-1)).toMatchObject({ members: ['http://a'] });
    expect(alone.confirmedAt()).toBeGreaterThanOrEqual(begin);
    const before = Date.now();
    await eventually(() => expect(alone.confirmedAt()).toBeGreaterThan(before));
    expect(alone.assignments).toHaveLength(1);
  });

  it('share resources when another member joins and keep as many as possible', async () => {
    const first = join('http://a');
    await untilShared([first], [4]);
    const second = join('http://b');
    await untilShared([first, second], [2, 2]);

    const assignment = first.assignments.at(-1);
    expect([...(assignment?.members ?? [])].toSorted()).toEqual(['http://a', 'http://b']);
    for (const resource of resources) {
      const holder = first.mine().includes(resource) ? 'http://a' : 'http://b';
      expect(assignment?.addresses.get(resource)).toBe(holder);
    }

    const kept = first.mine();
    const third = join('http://c');
    await untilShared([first, second, third], [1, 1, 2]);
    expect(kept).toEqual(expect.arrayContaining([...first.mine()]));
  });

  it('take over resources soon after another member leaves', async () => {
    const [leaving, staying] = [join('http://a'), join('http://b')];
    await untilShared([leaving, staying], [2, 2]);
    const begin = Date.now();
    await leaving.close();
    await untilShared([staying], [4]);

    expect(Date.now() - begin).toBeLessThan(4_000);
  });

  it('reject a second member at the same address before it owns anything', async () => {
    const [first, other] = [join('http://a'), join('http://b')];
    await untilShared([first, other], [2, 2]);
    const [held, assignmentCount] = [first.mine(), other.assignments.length];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const second = join('http://a');
      await eventually(() => expect(second.crashes).toHaveLength(1));
      expect(second.crashes[0]).toMatchObject({
        name: 'AddressTaken',
        message: expect.stringContaining(
          'already has the address http://a: set a different INTERNAL_HOST',
        ),
      });
      expect(second.assignments).toEqual([]);
    }
    const start = Date.now();
    await eventually(() => expect(first.confirmedAt()).toBeGreaterThan(start));
    await untilShared([first, other], [2, 2]);

    expect(first.mine()).toEqual(held);
    expect(first.isConnected()).toBe(true);
    expect(other.assignments).toHaveLength(assignmentCount);
    expect([first, other].flatMap(({ crashes }) => crashes)).toEqual([]);
  });

  it('resolve conflicting claims in favour of the newer claim', async () => {
    const claims = (since: bigint) => () => new Map([['one', since]]);
    const older = join('http://a', { resources: ['one'], claims: claims(1n) });
    await eventually(() => expect(older.mine()).toEqual(['one']));
    const newer = join('http://b', { resources: ['one'], claims: claims(2n) });
    await eventually(() => expect(newer.mine()).toEqual(['one']));

    expect(older.mine()).toEqual([]);
  });

  it('are independent of other groups', async () => {
    const here = join('http://a');
    const there = join('http://b', { groupId: `${groupId}-other` });
    await untilShared([here], [4]);
    await untilShared([there], [4]);

    expect(here.assignments.at(-1)?.members).toEqual(['http://a']);
  });
});
