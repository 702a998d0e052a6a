import { Refusal } from '../../../shared/domain/errors.ts';
import type { CommandContext } from '../context.ts';
import { append } from '../owner/append.ts';
import type { Acting } from '../owner/command.ts';
import { defineCommand } from '../owner/define-command.ts';
import { noLinks, type ResolvedLinks } from '../records/input/resolve-links.ts';
import { changedFields, decideRevert, keptFields, type Reverting } from './decide-revert.ts';
import { type Effect, readEffect } from './read-effect.ts';
import { readChange } from './undoable-change.ts';

/** Undoes a change to one record. Returns warnings for fields that keep a later value. */
export const revertCommand = defineCommand({
  name: 'revert',
  readBody: readChange,
  async execute(context, request) {
    const { actor, model, id, body: change } = request;
    const record = { entityType: model.name, id };
    const effect = await readEffect(context.pool, record, change);
    if (effect === undefined) throw nothingToUndo();
    const { event } = change;
    const isOther = event?.entityType !== model.name || event.recordId !== id;
    const isFollowUp = event !== undefined && isOther && effect.kind === 'updated';
    const resolved = await resolveEarlierLinks(context, { actor, model }, effect);
    const { teamsOf } = context;
    const reverting = { actor, model, id, effect, ...resolved, teamsOf, isFollowUp };
    const executed = await append(context, request, {
      id,
      decide: (state, { now }) =>
        decideRevert(state, { ...reverting, currencies: context.currencies() }, now),
    });
    const kept = keptFields(model, effect, executed.state);
    if (kept.length === 0) return executed;
    return { ...executed, warnings: [toWarning(kept, resolved.broken)] };
  },
});

function toWarning(kept: readonly string[], broken: Reverting['broken']): string {
  const unlinked = kept.filter((field) => broken.has(field));
  const changed = kept.filter((field) => !broken.has(field));
  return [
    changed.length === 0 ? '' : `Changed since, and kept: ${changed.join(', ')}.`,
    unlinked.length === 0 ? '' : `Linked to a deleted record, and kept: ${unlinked.join(', ')}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/**
 * Reads the records that earlier values link to, field by field, so that a deleted record does not prevent the undo of
 * other fields.
 */
async function resolveEarlierLinks(
  { resolveLinks }: Pick<CommandContext, 'resolveLinks'>,
  { actor, model }: Acting,
  effect: Effect,
): Promise<Pick<Reverting, 'broken' | 'links'>> {
  const broken = new Map<string, Refusal>();
  if (effect.kind !== 'updated') return { links: noLinks, broken };
  const found: ResolvedLinks[] = [];
  for (const [field, changed] of changedFields(model, effect)) {
    const ids = changed.filter(
      ({ attribute }) => attribute.link !== undefined && attribute.link !== 'columns',
    );
    if (ids.length === 0) continue;
    const values = Object.fromEntries(ids.map(({ attribute, before }) => [attribute.name, before]));
    try {
      found.push(await resolveLinks({ model, values, actor }));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'link.non_existing') throw error;
      broken.set(field, error);
    }
  }
  const links = {
    values: Object.assign({}, ...found.map(({ values }) => values)),
    unreadable: found.flatMap(({ unreadable }) => unreadable),
  };
  return { links, broken };
}

export function nothingToUndo(): Refusal {
  const message = 'This change left nothing that can be undone.';
  return new Refusal('conflict', 'undo.nothing', message);
}
