import type { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { encodeEvent } from '../../../shared/events/log-entry-codec.ts';
import { aCreation, anUpdateAfter } from '../../../test/support/builders/record-event-builder.ts';
import { readEffect } from './read-effect.ts';

const creation = aCreation('Account', { name: 'A' });
const rename = anUpdateAfter(
  creation,
  {},
  { changes: [{ attribute: 'name', before: 'A', after: 'B' }] },
);
const change = { changeId: '', authorId: 'admin', at: 0, first: [] };
const event = { entityType: 'Account', recordId: creation.recordId, version: 1 };
const record = { entityType: 'Account', id: creation.recordId };

/** Returns a pool whose queries return these pages of events. A full page has the maximum of bytes. */
function poolOf(...pages: { readonly events: readonly RecordEvent[]; readonly isFull: boolean }[]) {
  const queries: { readonly text: string; readonly after: unknown }[] = [];
  const query = async (text: string, values: readonly unknown[]) => {
    queries.push({ text, after: values[2] });
    const { events = [], isFull = false } = pages[queries.length - 1] ?? {};
    const rows = events.map((one) => ({
      event: encodeEvent({ ...one, token: 't', sequence: 1 }),
      version: one.version,
      $bytes: isFull ? '4194304' : '100',
    }));
    return { rows };
  };
  return { queries, pool: { query } as unknown as Pool };
}

describe('readEffect', () => {
  it('limits the bytes of a page and reads all pages of the change itself', async () => {
    const { pool, queries } = poolOf(
      { events: [rename], isFull: true },
      {
        events: [
          anUpdateAfter(rename, {}, { changes: [{ attribute: 'name', before: 'B', after: 'C' }] }),
        ],
        isFull: false,
      },
    );
    const effect = await readEffect(pool, record, { ...change, steps: ['ann/mass-1-'] });
    expect(effect).toMatchObject({
      kind: 'updated',
      version: 3,
      changes: [{ attribute: 'name', before: 'A', after: 'C' }],
    });
    expect(queries.map(({ after }) => after)).toEqual([0, 2]);
    for (const { text } of queries) expect(text).toContain('octet_length(event)');
  });

  it('does not compare a new record with later events that exceed a page', async () => {
    const own = { events: [creation], isFull: false };
    const later = { events: [rename], isFull: true };
    const { pool } = poolOf(own, later);
    const effect = await readEffect(pool, record, { ...change, event, steps: [] });
    expect(effect).toMatchObject({ kind: 'appeared', version: 1, seen: 2 });
    expect(effect?.replaced).toBeUndefined();
  });
});
