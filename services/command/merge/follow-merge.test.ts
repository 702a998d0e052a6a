import { beforeEach, describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { recordNotFound } from '../../../shared/domain/record/decide.ts';
import { commandContext, senderOf } from '../../../test/support/builders/command-context.ts';
import type { Command, CommandAnswer } from '../owner/command.ts';
import type { CommandDefinition } from '../owner/define-command.ts';
import { followMerge } from './follow-merge.ts';

const directory = createDirectory(stockDefinitions);

/** Ids of Cases that refer to a source. */
let referring: Set<string>;
/** The ids of these Cases that Postgres does not have yet. */
let unprojected: Set<string>;
let removed: Set<string>;
let steps: string[];
/** Called in each step of the merge. */
let onStep: (step: string) => void;

async function send(
  { name }: CommandDefinition,
  { id = '' }: Command<object>,
): Promise<CommandAnswer> {
  const step = `${name} ${id}`;
  steps.push(step);
  const isReplay = removed.has(id);
  const isChanged = name === 'relink' && id !== 'stuck' && referring.delete(id);
  const changed = isChanged ? ['contactId'] : [];
  if (name === 'merge-away') removed.add(id);
  onStep(step);
  const state = { entityType: 'Contact', id, version: 2, deleted: false, values: {} };
  return { state, consistencyToken: '', isReplay, changed };
}

const context = commandContext({
  directory,
  sender: senderOf(send),
  untilCaughtUp: async () => unprojected.clear(),
  readState: async () => undefined,
  async *findReferring({ name }: EntityModel) {
    if (name === 'Case') yield [...referring.difference(unprojected)];
  },
});

const follow = async () => {
  const model = directory.entity('Contact');
  if (model === undefined) throw new Error('the entity type Contact is not defined');
  const plan = { id: 'm', actorId: 'admin', sourceIds: ['s1', 's2'], seen: {} };
  return followMerge({ model, targetId: 't', plan }, 1, context);
};

beforeEach(() => {
  referring = new Set(['c1', 'c2']);
  unprojected = new Set();
  removed = new Set();
  steps = [];
  onStep = () => undefined;
});

describe('a decided merge', () => {
  it('updates all references to the sources before deleting the sources', async () => {
    await follow();
    expect(steps).toEqual(['relink c1', 'relink c2', 'merge-away s1', 'merge-away s2']);
  });

  it('updates references that were created during the merge', async () => {
    onStep = (step) => {
      const late = { 'merge-away s1': 'late', 'relink late': 'later' }[step];
      if (late === undefined) return;
      referring.add(late);
      unprojected.add(late);
    };
    await follow();
    expect(steps.slice(4)).toEqual(['relink late', 'relink later']);
    expect(referring).toEqual(new Set());
  });

  it('ends even if a referring record is deleted or stays unchanged', async () => {
    referring.add('stuck');
    onStep = (step) => {
      if (step === 'relink c1') throw recordNotFound('c1');
    };
    await follow();
    expect(steps.at(-1)).toBe('relink stuck');
  });

  it('does not update late references to a source that is kept', async () => {
    onStep = (step) => {
      if (step === 'merge-away s1') referring.add('late');
      if (!step.startsWith('merge-away')) return;
      throw new Refusal('conflict', 'merge.under_way', 'Another one.');
    };
    await follow();
    expect(referring).toEqual(new Set(['late']));
    expect(steps.at(-1)).toBe('merge-end t');
  });
});
