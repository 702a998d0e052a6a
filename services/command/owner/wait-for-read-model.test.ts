import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { commandContext } from '../../../test/support/builders/command-context.ts';
import { bySystem } from './command.ts';
import { untilReadable } from './wait-for-read-model.ts';

const directory = createDirectory(stockDefinitions);
const state = { entityType: 'Role', id: 'r', version: 1, deleted: false, values: {} };

function modelOf(name: string) {
  const model = directory.entity(name);
  if (model === undefined) throw new Error(`no ${name}`);
  return model;
}

/**
 * This process is up to date, and by default so is Postgres. The other instances, and Postgres if it lags, have read a
 * change once `release` is called.
 */
function withLaggingOthers({ isPostgresLagging = false } = {}) {
  const offsets: bigint[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const context = commandContext({
    projection: {
      projected: () => (isPostgresLagging ? 0n : 100n),
      passed: () => released,
      isEventQuarantined: () => false,
    },
    follower: { waitFor: () => Promise.resolve() },
    peers: {
      async waitFor(offset: bigint) {
        offsets.push(offset);
        await released;
      },
    },
    topics: { directory: 'directory', records: 'records' },
    now: () => 0,
  });
  const written = async (
    name: string,
    untilReadableToo: boolean,
    { deadline = 10_000, isWholeRequest = false } = {},
  ) =>
    untilReadable(
      context,
      {
        ...bySystem,
        model: modelOf(name),
        body: {},
        untilReadable: untilReadableToo,
        deadline,
        isWholeRequest,
      },
      { state, partition: 0, offset: 7n, isReplay: false, changed: [] },
    );
  return { offsets, release: () => release(), written };
}

function isPending(work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => false), new Promise<true>((r) => setTimeout(r, 20, true))]);
}

describe('waiting for a write', () => {
  it.each([true, false])(
    'completes for the directory once every instance is up to date (untilReadable: %s)',
    async (untilReadable) => {
      const { offsets, release, written } = withLaggingOthers();
      const writing = written('Role', untilReadable);
      expect(await isPending(writing)).toBe(true);
      expect(offsets).toEqual([8n]);
      release();
      await writing;
    },
  );

  it('completes for a record without waiting for other instances', async () => {
    const { offsets, written } = withLaggingOthers();
    await written('Account', true);
    expect(offsets).toEqual([]);
  });

  it('completes for a record once Postgres has it, unless the client does not wait', async () => {
    const { release, written } = withLaggingOthers({ isPostgresLagging: true });
    const writing = written('Account', true);
    expect(await isPending(writing)).toBe(true);
    await written('Account', false);
    release();
    await writing;
  });

  it.each(['Role', 'Account'])(
    'reports a %s as not readable yet after its deadline',
    async (type) => {
      const { written } = withLaggingOthers({ isPostgresLagging: true });
      await expect(written(type, true, { deadline: 10 })).rejects.toThrow('not readable yet');
    },
  );

  it('rejects a whole request after its deadline with the record and position', async () => {
    const { written } = withLaggingOthers({ isPostgresLagging: true });
    const writing = written('Account', true, { deadline: 10, isWholeRequest: true });
    await expect(writing).rejects.toMatchObject({
      code: 'write.unread',
      recordId: 'r',
      consistencyToken: 'r0-7',
    });
  });

  it('rejects a step of a request without naming a record', async () => {
    const { written } = withLaggingOthers({ isPostgresLagging: true });
    const writing = written('Account', true, { deadline: 10 });
    await expect(writing).rejects.toMatchObject({ code: 'service.unavailable' });
  });
});
