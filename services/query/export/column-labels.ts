import {
  type LabelLanguage,
  labelOfName,
  toWords,
} from '../../../shared/domain/entity/labels/labels.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';

/** Returns the label of an attribute: that of its field, and for ids of linked records "Account (ID)". */
export function labelOfAttribute(
  model: EntityModel,
  name: string,
  language: LabelLanguage,
): string {
  if (name === 'id') return 'ID';
  const field = model.attribute.get(name)?.field ?? name;
  const rest = name.startsWith(field) ? name.slice(field.length) : undefined;
  const isOfLink = rest === 'Name' || rest === 'Names' || rest === 'Id' || rest === 'Ids';
  if (!isOfLink && rest !== '') return labelOfField(model, name, language);
  const label = labelOfField(model, field, language);
  return rest === 'Id' || rest === 'Ids' ? `${label} (ID)` : label;
}

function labelOfField(model: EntityModel, name: string, language: LabelLanguage): string {
  const field = model.fields.get(name);
  if (field?.label !== undefined) return field.label;
  return field?.isCustom === true ? toWords(name) : labelOfName(name, model.name, language);
}
