import type { Attribute } from '../../../shared/domain/entity/attributes.ts';
import type {
  FieldDefinition,
  FieldType,
} from '../../../shared/domain/entity/entity-definition.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { fieldPlanOf } from '../../../shared/domain/field/field-plan.ts';
import { readInput } from '../../../shared/domain/field/read-input.ts';
import { settleValues } from '../../../shared/domain/field/settle-values.ts';
import type { AttributeValue } from '../../../shared/domain/record/attribute-values.ts';

/** Shown beside what has to be given, where an entity type has them. */
const telling: ReadonlySet<string> = new Set([
  'name',
  'firstName',
  'emailAddress',
  'phoneNumber',
  'website',
  'status',
  'stage',
  'type',
]);

/** A body that creates a record, made out of the definitions; undefined if nothing that fits could be thought of. */
export function exampleOf(
  model: EntityModel,
): Readonly<Record<string, AttributeValue>> | undefined {
  const needed = new Set(fieldPlanOf(model).requirements.map(({ field }) => field));
  const body = Object.fromEntries(
    model.attributes
      .filter(({ writable, field }) => writable && (needed.has(field) || telling.has(field)))
      .flatMap((attribute) => {
        const value = exampleValue(model, attribute);
        return value === undefined ? [] : [[attribute.name, value]];
      }),
  );
  const { values, problems } = readInput(model, body, 'create');
  const isFit = problems.length + settleValues(model, null, values).problems.length === 0;
  return isFit ? body : undefined;
}

function exampleValue(model: EntityModel, { name, field }: Attribute): AttributeValue | undefined {
  const definition = model.fields.get(field);
  if (definition === undefined) return undefined;
  if (byName[name] !== undefined) return byName[name];
  const suffix = name.slice(field.length);
  const linked = ofLink[definition.type]?.(suffix, definition);
  if (linked !== undefined) return linked;
  if (name !== field) return undefined;
  return byType[definition.type]?.(definition) ?? undefined;
}

export const exampleId = '6920300f5a1b2c3d4';

/** By the end of the attribute's name. */
const ofLink: Readonly<
  Partial<
    Record<FieldType, (suffix: string, definition: FieldDefinition) => AttributeValue | undefined>
  >
> = {
  link: (suffix) => (suffix === 'Id' ? exampleId : undefined),
  file: (suffix) => (suffix === 'Id' ? exampleId : undefined),
  linkMultiple: (suffix) => (suffix === 'Ids' ? [exampleId] : undefined),
  linkParent: (suffix, { entityList }) => ({ Id: exampleId, Type: entityList?.[0] })[suffix],
};

const byName: Readonly<Record<string, AttributeValue>> = {
  firstName: 'Ann',
  lastName: 'Ray',
  userName: 'integration1',
  event: 'Account.update',
  url: 'https://example.org/hook',
  dateEnd: '2030-01-31 11:00:00',
};

const byType: Readonly<
  Partial<Record<FieldType, (definition: FieldDefinition) => AttributeValue | undefined>>
> = {
  varchar: ({ default: usual }) => (typeof usual === 'string' ? usual : 'Acme'),
  text: () => 'Some text',
  enum: ({ default: usual, options = [] }) =>
    typeof usual === 'string' ? usual : options.find((option) => option !== ''),
  multiEnum: ({ options = [] }) => options.slice(0, 1),
  bool: () => true,
  int: ({ min = 1 }) => min,
  float: ({ min = 1.5 }) => min,
  decimal: () => '10.2000',
  currency: () => 500,
  date: () => '2030-01-31',
  datetime: () => '2030-01-31 10:00:00',
  datetimeOptional: () => '2030-01-31 10:00:00',
  email: () => 'ann@example.com',
  phone: () => '+49301234567',
  url: () => 'https://example.com',
};
