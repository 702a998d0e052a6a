import {
  type LabelLanguage,
  labelLanguages,
  labelOfName,
  labelOfOption,
  labelsOfType,
  toWords,
} from '../../../shared/domain/entity/labels/labels.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { describedFields, linksWithin, type Reach } from './reach.ts';

/** Returns the labels of these entity types (docs/reference/espocrm-compatibility.md#labels). */
export function labels(
  models: readonly EntityModel[],
  findModel: FindModel,
  language: LabelLanguage = 'en',
): Readonly<Record<string, unknown>> {
  const reach = new Set(models.map(({ name }) => name));
  const named = models.map((model) => [model.name, labelsOfType(model, language)] as const);
  return {
    Global: {
      scopeNames: {
        ...labelLanguages[language].scopes,
        ...Object.fromEntries(named.map(([name, [one]]) => [name, one])),
      },
      scopeNamesPlural: Object.fromEntries(named.map(([name, [, many]]) => [name, many])),
      labels: labelLanguages[language].panels,
      fields: {},
      options: {},
    },
    ...Object.fromEntries(
      models.map((model) => [model.name, labelsOf(model, { reach, findModel, language })]),
    ),
  };
}

interface Labelled {
  readonly reach: Reach;
  readonly findModel: FindModel;
  readonly language: LabelLanguage;
}

function labelsOf(model: EntityModel, { reach, findModel, language }: Labelled) {
  const entityType = model.name;
  const isCustom = (name: string) => model.fields.get(name)?.isCustom === true;
  const labelOf = (name: string) =>
    isCustom(name) ? toWords(name) : labelOfName(name, entityType, language);
  const fields = [...describedFields(model, reach)];
  const options = fields.flatMap(([field, { options: chosen, typeList = chosen }]) => {
    if (!Array.isArray(typeList)) return [];
    const texts = typeList.map((option) => {
      const text = String(option);
      return [text, isCustom(field) ? text : labelOfOption(text, { entityType, field }, language)];
    });
    return [[field, Object.fromEntries(texts)]];
  });
  return {
    fields: Object.fromEntries(fields.map(([name, { label }]) => [name, label ?? labelOf(name)])),
    links: Object.fromEntries(
      linksWithin(model, reach, findModel).map(({ name }) => [
        name,
        linkLabel(model, name) ?? labelOf(name),
      ]),
    ),
    options: Object.fromEntries(options),
    labels: {},
  };
}

function linkLabel({ fields, definition }: EntityModel, name: string): string | undefined {
  return fields.get(name)?.label ?? definition.links?.[name]?.label;
}
