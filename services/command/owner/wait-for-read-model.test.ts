import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { commandContext } from '../../../test/support/builders/command-context.ts';
import { untilReadable } from './wait-for-read-model.ts';

const directory = createDirectory(stockDefinitions);

function modelOf(name: string) {
  const model = directory.entity(name);
  if (model === undefined) throw new Error(`no ${name}`);
  return model;
}

/** Postgres and this process have everything; the others know of a change once `tell` is called. */
function withLaggingOthers() {
  const asked: bigint[] = [];
  let tell = () => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const context = commandContext({
    projection: {
      projected: () => 100n,
      passed: () => Promise.resolve(),
      isEventQuarantined: () => false,
    },
    follower: { waitFor: () => Promise.resolve() },
    peers: {
      async waitFor(offset: bigint) {
        asked.push(offset);
        await told;
      },
    },
    topics: { directory: 'directory', records: 'records' },
    now: () => 0,
  });
  const written = async (name: string, untilReadableToo: boolean, deadline = 10_000) =>
    untilReadable(
      context,
      { model: modelOf(name), untilReadable: untilReadableToo, deadline },
      { partition: 0, offset: 7n },
    );
  return { asked, tell: () => tell(), written };
}

function isPending(work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => false), new Promise<true>((r) => setTimeout(r, 20, true))]);
}

describe('a write is answered', () => {
  it.each([true, false])(
    'where it changes the directory when every instance knows it, whatever is asked of reads: %s',
    async (untilReadable) => {
      const { asked, tell, written } = withLaggingOthers();
      const writing = written('Role', untilReadable);
      expect(await isPending(writing)).toBe(true);
      expect(asked).toEqual([8n]);
      tell();
      await writing;
    },
  );

  it('where it changes a record without asking anybody: all read the same Postgres', async () => {
    const { asked, written } = withLaggingOthers();
    await written('Account', true);
    expect(asked).toEqual([]);
  });

  it('as not readable yet when the time is up', async () => {
    const { written } = withLaggingOthers();
    await expect(written('Role', true, 10)).rejects.toThrow('not readable yet');
  });
});
