import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { append } from '../owner/append.ts';
import { defineCommand } from '../owner/define-command.ts';
import { noLinks } from '../records/input/resolve-links.ts';
import { changedFields, decideRevert, keptFields } from './decide-revert.ts';
import { type Effect, readEffect } from './read-effect.ts';
import { readChange } from './undoable-change.ts';

/** Undoes a change of one record. Warns about fields that keep a later value. */
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
    const values = earlierLinks(model, effect);
    const links =
      effect.kind === 'updated' ? await context.resolveLinks({ model, values, actor }) : noLinks;
    const { teamsOf } = context;
    const reverting = { actor, model, id, effect, links, teamsOf, isFollowUp };
    const executed = await append(context, request, {
      id,
      decide: (state, { now }) => decideRevert(state, reverting, now),
    });
    const kept = keptFields(model, effect, executed.state);
    if (kept.length === 0) return executed;
    return { ...executed, warnings: [`Changed since, and kept: ${kept.join(', ')}.`] };
  },
});

function earlierLinks(model: EntityModel, effect: Effect): AttributeValues {
  const values = [...changedFields(model, effect).values()].flat();
  return Object.fromEntries(
    values
      .filter(({ attribute }) => attribute.link !== undefined && attribute.link !== 'columns')
      .map(({ attribute, before }) => [attribute.name, before]),
  );
}

export function nothingToUndo(): Refusal {
  const message = 'This change left nothing that can be undone.';
  return new Refusal('conflict', 'undo.nothing', message);
}
