import { type Actor, accessLevel, mayEditField } from '../../../shared/domain/access/actor.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { conversionTargets } from '../../../shared/domain/entity/stock/lead.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { ConversionTarget } from './lead-conversion.ts';

/**
 * Returns initial values for the records that a lead can be converted to: the values of fields with the same name and
 * type, and of fields that the definition maps to each other. The new records share the lead's files. `lead` contains
 * only values that the actor may see, and the result only entity types that the actor may create.
 */
export function convertAttributes(
  {
    actor,
    model,
    lead,
  }: { readonly actor: Actor; readonly model: EntityModel; readonly lead: AttributeValues },
  findModel: FindModel,
): Readonly<Partial<Record<ConversionTarget, AttributeValues>>> {
  return Object.fromEntries(
    conversionTargets.flatMap((name) => {
      const target = findModel(name);
      if (target === undefined || accessLevel(actor, name, 'create') === 'no') return [];
      const renamed = Object.entries(model.definition.conversion?.fields[name] ?? {});
      const moved = new Set(renamed.map(([, from]) => from));
      const fields = [
        ...renamed.map(([to, from]) => ({ from, to })),
        ...[...model.fields.keys()]
          .filter((from) => !moved.has(from) && isCopied({ from: model, to: target }, from))
          .map((from) => ({ from, to: from })),
      ];
      const open = fields.filter(({ to }) => mayEditField(actor, target, to));
      return [[name, Object.assign({}, ...open.map((pair) => copyField(pair, { model, lead })))]];
    }),
  );
}

function isCopied(
  { from, to }: { readonly from: EntityModel; readonly to: EntityModel },
  field: string,
): boolean {
  const own = from.fields.get(field);
  const there = to.fields.get(field);
  if (own === undefined || there === undefined || own.type !== there.type) return false;
  return there.readOnly !== true && there.notStored !== true && own.entityType === there.entityType;
}

/** Returns the field's non-empty attributes, keyed by their names in the new record. */
function copyField(
  { from, to }: { readonly from: string; readonly to: string },
  { model, lead }: { readonly model: EntityModel; readonly lead: AttributeValues },
): AttributeValues {
  return Object.fromEntries(
    model.attributes
      .filter(({ field, name }) => field === from && lead[name] != null)
      .map(({ name }) => [to + name.slice(from.length), lead[name] ?? null]),
  );
}
