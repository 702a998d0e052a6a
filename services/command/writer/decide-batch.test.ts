import { describe, expect, it } from 'vitest';
import { decideCreate } from '../../../shared/domain/record/decide.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import { baselineVersions, readVersions } from '../../../shared/events/schema-versions.ts';
import { decideBatch } from './decide-batch.ts';
import { CommandMemory } from './memory/command-memory.ts';
import { RecordCache } from './memory/record-cache.ts';
import { type Submission, Waiting } from './submission.ts';

const now = () => 1_000;
const projected = () => 0n;
const memory = { projected, maxEntries: 10 };

/** Decides the creation of an account with these schema versions. */
function decide(parts: Partial<Submission>, versions = readVersions) {
  const waiting = new Waiting(
    {
      entityType: 'Account',
      recordId: 'a1',
      isCreation: true,
      actorId: 'ann',
      commandId: null,
      commandHash: null,
      correlationId: null,
      isRepeat: false,
      deadline: 2_000,
      decide: (state) => decideCreate(state, { name: 'Acme' }),
      ...parts,
    },
    now(),
  );
  const queue = [waiting];
  const context = {
    cache: new RecordCache({
      ...memory,
      read: async () => undefined,
      waitProjected: async () => {},
    }),
    commands: new CommandMemory(memory),
    quarantine: { mayHold: () => false },
    requireRoom: () => {},
    findModel: () => undefined,
    newEventId: () => 'e1',
    versions: () => versions,
    now,
    limits: { maxEvents: 10, maxBytes: 10_000 },
    token: 't',
    sequence: 0,
  };
  const batch = decideBatch(
    context as never,
    () => queue.shift(),
    () => {},
  );
  const entries = batch.messages.map(({ value }) => decodeLogEntry(value));
  waiting.resolve({} as never);
  return { entries, outcomes: batch.decided.map(({ outcome }) => outcome) };
}

describe('the event of a command', () => {
  it('names the administrator who acts as its user', () => {
    expect(decide({ administratorId: 'boss' }).entries).toEqual([
      {
        kind: 'event',
        event: expect.objectContaining({ actorId: 'ann', administratorId: 'boss' }),
      },
    ]);
  });

  it('has no administrator if the user sent the request', () => {
    for (const versions of [readVersions, baselineVersions]) {
      const [entry] = decide({}, versions).entries;
      expect(entry).toMatchObject({ event: { actorId: 'ann' } });
      expect(entry).not.toHaveProperty('event.administratorId');
    }
  });

  it('is not written while a reader of the log does not support administrators', () => {
    const { entries, outcomes } = decide({ administratorId: 'boss' }, baselineVersions);
    expect(entries).toEqual([]);
    expect(outcomes).toMatchObject([{ kind: 'refused', error: { name: 'Unavailable' } }]);
  });
});
