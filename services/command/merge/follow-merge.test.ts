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

/** Cases that refer to a contact that is merged away. */
let referring: Set<string>;
/** Those of them that Postgres does not know yet. */
let unprojected: Set<string>;
let removed: Set<string>;
let steps: string[];
/** Happens beside each step of the merge. */
let beside: (step: string) => void;

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
  beside(step);
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
  if (model === undefined) throw new Error('there are no contacts');
  const plan = { id: 'm', actorId: 'admin', sourceIds: ['s1', 's2'], seen: {} };
  return followMerge({ model, targetId: 't', plan }, 1, context);
};

beforeEach(() => {
  referring = new Set(['c1', 'c2']);
  unprojected = new Set();
  removed = new Set();
  steps = [];
  beside = () => undefined;
});

describe('what follows from a merge', () => {
  it('is that all which refers to the sources refers to the target, before these go', async () => {
    await follow();
    expect(steps).toEqual(['relink c1', 'relink c2', 'merge-away s1', 'merge-away s2']);
  });

  it('holds for what came to refer to a source while the others were looked for', async () => {
    beside = (step) => {
      const late = { 'merge-away s1': 'late', 'relink late': 'later' }[step];
      if (late === undefined) return;
      referring.add(late);
      unprojected.add(late);
    };
    await follow();
    expect(steps.slice(4)).toEqual(['relink late', 'relink later']);
    expect(referring).toEqual(new Set());
  });

  it('ends though what refers to a source is gone by now, or does not change', async () => {
    referring.add('stuck');
    beside = (step) => {
      if (step === 'relink c1') throw recordNotFound('c1');
    };
    await follow();
    expect(steps.at(-1)).toBe('relink stuck');
  });

  it('leaves alone what refers to a source that is kept', async () => {
    beside = (step) => {
      if (step === 'merge-away s1') referring.add('late');
      if (!step.startsWith('merge-away')) return;
      throw new Refusal('conflict', 'merge.under_way', 'Another one.');
    };
    await follow();
    expect(referring).toEqual(new Set(['late']));
    expect(steps.at(-1)).toBe('merge-end t');
  });
});
