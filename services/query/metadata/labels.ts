import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { capitalized } from '../../../shared/domain/field/attribute.ts';
import { describedFields, linksWithin, type Reach } from './reach.ts';

/** Returns English labels of these entity types (docs/reference/espocrm-compatibility.md#labels). */
export function labels(
  models: readonly EntityModel[],
  findModel: FindModel,
): Readonly<Record<string, unknown>> {
  const reach = new Set(models.map(({ name }) => name));
  const scopeNames = Object.fromEntries(models.map((model) => [model.name, labelOf(model)]));
  const scopeNamesPlural = Object.fromEntries(
    models.map((model) => [model.name, model.definition.labelPlural ?? toPlural(labelOf(model))]),
  );
  return {
    Global: { scopeNames, scopeNamesPlural, labels: {}, fields: {}, options: {} },
    ...Object.fromEntries(models.map((model) => [model.name, labelsOf(model, reach, findModel)])),
  };
}

function labelOf({ name, definition }: EntityModel): string {
  return definition.label ?? toWords(name);
}

function labelsOf(model: EntityModel, reach: Reach, findModel: FindModel) {
  const fields = [...describedFields(model, reach)];
  const options = fields.flatMap(([name, { options: chosen, typeList = chosen }]) =>
    Array.isArray(typeList)
      ? [[name, Object.fromEntries(typeList.map((option) => [option, String(option)]))]]
      : [],
  );
  return {
    fields: Object.fromEntries(fields.map(([name, { label }]) => [name, label ?? toWords(name)])),
    links: Object.fromEntries(
      linksWithin(model, reach, findModel).map(({ name }) => [name, linkLabel(model, name)]),
    ),
    options: Object.fromEntries(options),
    labels: {},
  };
}

/** Converts `billingAddress` to `Billing Address`. */
function toWords(name: string): string {
  return capitalized(name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2'));
}

function toPlural(words: string): string {
  if (/[^aeiou]y$/.test(words)) return `${words.slice(0, -1)}ies`;
  return /(?:s|x|ch)$/.test(words) ? `${words}es` : `${words}s`;
}

function linkLabel({ fields, definition }: EntityModel, name: string): string {
  return fields.get(name)?.label ?? definition.links?.[name]?.label ?? toWords(name);
}
