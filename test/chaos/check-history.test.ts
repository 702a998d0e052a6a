import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkHistory, hasGo, type Operation } from './check-history.ts';

const page = join(tmpdir(), `annals-violation-${process.pid}.html`);
let now = 0;

function an(operation: Partial<Operation> & Pick<Operation, 'kind'>): Operation {
  const call = ++now;
  return {
    client: 0,
    record: 'r',
    value: '',
    ifMatch: 0,
    outcome: 'ok',
    version: 0,
    observed: '',
    call,
    return: ++now,
    ...operation,
  };
}

const created = () => an({ kind: 'create', value: 'a', version: 1 });
const verdict = async (...history: readonly Operation[]) => (await checkHistory(history, page)).ok;

/** The first build fetches and compiles Porcupine. */
const patience = { timeout: 240_000 };

// The checker is written in Go; without Go, the machine cannot run chaos either.
describe.skipIf(!hasGo())('the history checker', patience, () => {
  it('accepts a history that one register could produce', async () => {
    expect(
      await verdict(
        created(),
        an({ kind: 'read', version: 1, observed: 'a' }),
        an({ kind: 'update', value: 'b', version: 2 }),
        an({ kind: 'update', value: 'c', ifMatch: 1, outcome: 'mismatch' }),
        an({ kind: 'delete' }),
        an({ kind: 'read', outcome: 'missing' }),
        an({ kind: 'update', value: 'd', outcome: 'missing' }),
      ),
    ).toBe(true);
  });

  it('accepts an update of unknown outcome that happened, happened late or never happened', async () => {
    const unknown = { kind: 'update', value: 'b', outcome: 'unknown' } as const;
    expect(
      await verdict(created(), an(unknown), an({ kind: 'read', version: 2, observed: 'b' })),
    ).toBe(true);
    expect(
      await verdict(created(), an(unknown), an({ kind: 'read', version: 1, observed: 'a' })),
    ).toBe(true);
  });

  it.each([
    [
      'a lost write',
      [an({ kind: 'update', value: 'b', version: 2 })],
      { version: 1, observed: 'a' },
    ],
    [
      'a fork',
      [
        an({ kind: 'update', value: 'b', version: 2 }),
        an({ kind: 'update', value: 'c', version: 2 }),
      ],
      { version: 2, observed: 'c' },
    ],
    [
      'a visible write that was rejected',
      [an({ kind: 'update', value: 'b', ifMatch: 7, outcome: 'mismatch' })],
      { version: 2, observed: 'b' },
    ],
    ['a deleted record that reappears', [an({ kind: 'delete' })], { version: 1, observed: 'a' }],
    [
      'an ignored If-Match',
      [an({ kind: 'update', value: 'b', ifMatch: 7, version: 2 })],
      { version: 2, observed: 'b' },
    ],
    [
      'an update of unknown outcome that happens twice',
      [
        an({ kind: 'update', value: 'b', outcome: 'unknown' }),
        an({ kind: 'update', value: 'c', version: 3 }),
      ],
      { version: 4, observed: 'b' },
    ],
  ])('detects %s', async (_, writes, read) => {
    const first = { ...created(), call: -2, return: -1 };
    expect(await verdict(first, ...writes, an({ kind: 'read', ...read }))).toBe(false);
  });
});
