import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import {
  type CustomPrefix,
  customPrefixOf,
  storedCustomPrefix,
} from '../../../shared/domain/directory/custom-prefix.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { recordNotFound } from '../../../shared/domain/record/decide.ts';
import {
  commandContext,
  decideOn,
  writerOf,
} from '../../../test/support/builders/command-context.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { keepCustomPrefix, warnOfIgnoredPrefix } from './keep-custom-prefix.ts';

type Directory = ReturnType<typeof createDirectory>;

/** Simulates the start of a process with this value in the variable. */
async function start(directory: Directory, configured?: CustomPrefix): Promise<void> {
  const directoryWriter = writerOf(async (submission) => {
    const { entityType, recordId } = submission;
    const before = directory.record(entityType, recordId);
    const decision = decideOn(before, submission);
    if (decision !== undefined) {
      directory.apply({ ...aCreation(entityType, {}, { recordId }), ...decision });
    }
    const state = directory.record(entityType, recordId);
    if (state === undefined) throw recordNotFound(recordId);
    return { state, offset: 1n, changed: [] };
  });
  const config = { customPrefix: configured };
  await keepCustomPrefix(commandContext({ now: () => 0, config, directory, directoryWriter }));
}

function anExistingLog(): Directory {
  const directory = createDirectory(stockDefinitions);
  directory.apply(aCreation('User', {}, { recordId: 'admin' }));
  return directory;
}

it.each([
  [undefined, 'always'],
  ['taken', 'taken'],
  ['never', 'never'],
] as const)('stores the choice on the first start: %s means %s', async (configured, choice) => {
  const directory = createDirectory(stockDefinitions);
  await start(directory, configured);
  expect(storedCustomPrefix(directory)).toBe(choice);
});

it('ignores a different value on a later start and logs a warning', async () => {
  const directory = createDirectory(stockDefinitions);
  await start(directory);
  await start(directory, 'never');
  expect(customPrefixOf(directory)).toBe('always');

  const log = pino({ level: 'silent' });
  const warn = vi.spyOn(log, 'warn');
  const startWith = (customPrefix: CustomPrefix | undefined) =>
    warnOfIgnoredPrefix(commandContext({ now: () => 0, config: { customPrefix }, directory, log }));
  startWith('always');
  startWith(undefined);
  expect(warn).not.toHaveBeenCalled();
  startWith('never');
  expect(warn).toHaveBeenCalledOnce();
});

it('assumes `taken` for a log with entries but no choice', async () => {
  const directory = anExistingLog();
  await start(directory);
  expect(storedCustomPrefix(directory)).toBeUndefined();
  expect(customPrefixOf(directory)).toBe('taken');
});

it('stores the configured choice in a log with entries', async () => {
  const directory = anExistingLog();
  await start(directory, 'always');
  await start(directory);
  expect(customPrefixOf(directory)).toBe('always');
});
