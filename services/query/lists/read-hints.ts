import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { viewFor } from '../../../shared/search/record-view.ts';
import type { QueryContext } from '../context.ts';
import { searchRecords } from './search-records.ts';

/** A value that distinguishes a record from others with the same name. */
interface Hint {
  readonly attribute: string;
  readonly value: string;
}

/** In order of preference. */
const hinting = ['accountName', 'emailAddress', 'status', 'stage'];

/**
 * Returns a hint for each record, by id: the first attribute in `hinting` that has a value and that the actor may read.
 * Records without such a value are omitted.
 */
export async function readHints(
  context: QueryContext,
  {
    actor,
    model,
    ids,
  }: { readonly actor: Actor; readonly model: EntityModel; ids: readonly string[] },
): Promise<ReadonlyMap<string, Hint>> {
  const view = viewFor(actor, model, context.directory.entity);
  const select = hinting.filter((name) => {
    const attribute = model.attribute.get(name);
    return attribute !== undefined && view.isVisible(attribute);
  });
  if (select.length === 0 || ids.length === 0) return new Map();
  const page = { offset: 0, maxSize: ids.length, orderBy: 'id', direction: undefined };
  const request = { ...page, select, withTotal: false, filter: undefined };
  const { list } = await searchRecords(context, { actor, model, view, ids, request });
  return new Map(
    list.flatMap((row) => {
      const [attribute] = select.filter(
        (name) => typeof row[name] === 'string' && row[name] !== '',
      );
      return attribute === undefined
        ? []
        : [[String(row['id']), { attribute, value: String(row[attribute]) }] as const];
    }),
  );
}
