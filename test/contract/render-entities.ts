import { createDirectory } from '../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../shared/domain/entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../../shared/domain/entity/model/links.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import type { FieldDefinition } from '../../shared/domain/field/field-types.ts';
import { exceptions } from '../compat/stock-types/exceptions.ts';

const { entity, entities } = createDirectory(stockDefinitions);

/** Generates the page `docs/reference/entities.md` from the definitions. */
export function renderEntities(): string {
  const shown = entities().filter(({ definition }) => definition.isInternal !== true);
  const pages = shown.map((model) =>
    [
      `## ${model.name}`,
      sentence(model),
      table(['field', 'type', 'rules'], [...model.fields].filter(isShown).map(fieldRow)),
      ...withoutValues(model),
      'Links:',
      table(['link', 'type', 'to', 'inverse link', 'columns'], linkRows(model)),
    ].join('\n\n'),
  );
  return `${[introduction, ...pages, differences].join('\n\n')}\n`;
}

const introduction = `# Entity types

Every installation has these entity types from its first start. The type of a field determines its attributes (\`website\`, or
\`accountId\` and \`accountName\` of a link) and their valid values: see [fields](fields.md). Every record also has \`id\` and \`deleted\`.
\`GET /api/v1/{Entity}/{id}/{link}\` lists the records of a link. Columns of a link are written as \`{link}Columns\` on the side
that holds them.

This page is generated from the definitions: update it with \`npx vitest run --project unit test/contract -u\`.`;

const differences = [
  '## What differs from EspoCRM',
  '`Metadata` has everything else of these types as clients of EspoCRM 10 expect it; a test compares it.',
  table(
    ['reason', 'differences'],
    exceptions.map(({ reason, names }) => [reason, names.map((name) => `\`${name}\``).join(', ')]),
  ),
].join('\n\n');

function sentence({ definition }: EntityModel): string {
  const traits = [
    definition.isObject
      ? 'webhooks and custom fields'
      : definition.isWatchable === true
        ? 'webhooks'
        : definition.isExtensible === true
          ? 'custom fields, no webhooks'
          : 'no webhooks',
    ...(definition.hasStream === true ? ['a [stream](stream.md)'] : []),
    ...(definition.hasVersionNumber === true ? ['records have `versionNumber`'] : []),
    `sorted by \`${definition.orderBy}\`, ${definition.order === 'asc' ? 'ascending' : 'descending'}`,
  ];
  return `${traits.join('; ').replace(/^./, (first) => first.toUpperCase())}.`;
}

function withoutValues({ definition }: EntityModel): readonly string[] {
  const names = Object.keys(definition.knownFields ?? {}).map((name) => `\`${name}\``);
  if (names.length === 0) return [];
  return [`Only in \`Metadata\`, without values in Annals: ${names.join(', ')}.`];
}

function isShown([, { type }]: readonly [string, FieldDefinition]): boolean {
  return type !== 'secret';
}

function fieldRow([name, field]: readonly [string, FieldDefinition]): readonly string[] {
  return [`\`${name}\``, field.type, rulesOf(field).join('; ')];
}

function rulesOf(field: FieldDefinition): readonly string[] {
  const { type, options = [], valueBy, stampedWhen } = field;
  const rules: readonly (readonly [applies: unknown, rule: string])[] = [
    [field.required, `**required**${unlessOthers(field)}`],
    [field.readOnly, 'read-only'],
    [field.readOnlyAfterCreate, 'set once'],
    [field.adminOnly, 'administrators only'],
    [field.notStored, 'not stored with the record'],
    [field.counts, `number of ${(field.counts?.links ?? []).join(', ')}, in single reads`],
    ...linkTarget(field).map((rule) => [true, rule] as const),
    [field.maxLength, `at most ${field.maxLength} characters`],
    [field.min !== undefined, `at least ${field.min}`],
    [field.max, `at most ${field.max}`],
    [field.maxCount, `at most ${field.maxCount}`],
    [options.length > 0, listOptions(type, options)],
    [field.formerOptions, 'also accepts options of earlier versions'],
    [field.default !== undefined, `default ${JSON.stringify(field.default)}`],
    [valueBy, `derived from \`${valueBy?.attribute}\` if omitted`],
    [stampedWhen, `set when \`${stampedWhen?.attribute}\` becomes ${stampedWhen?.value}`],
  ];
  return rules.filter(([applies]) => Boolean(applies)).map(([, rule]) => rule);
}

function unlessOthers({ requiredUnless = [] }: FieldDefinition): string {
  const others = requiredUnless.map((name) => `\`${name}\``);
  return others.length === 0 ? '' : ` without ${others.join(' and ')}`;
}

function linkTarget({ type, entityType, entityList, attribute, primaryOf }: FieldDefinition) {
  if (entityList !== undefined) return [`to ${entityList.join(', ')}`];
  if (type === 'foreign') return [`${entityType}.${attribute}`];
  if (entityType === undefined) return [];
  return [`to ${entityType}`, ...(primaryOf === undefined ? [] : [`primary of \`${primaryOf}\``])];
}

function listOptions(type: string, options: readonly string[]): string {
  const shown = options.filter((option) => option !== '');
  const few = shown.length > 12 ? [shown[0], '…', shown.at(-1)] : shown;
  return `${type === 'phone' ? 'kinds' : 'one of'} ${few.join(', ')}`;
}

function linkRows(model: EntityModel): readonly (readonly string[])[] {
  return [...linksOf(model, entity).values()].map((link) => [
    `\`${link.name}\``,
    link.type,
    link.entityType ?? 'the types of its field',
    link.foreign === undefined ? '' : `\`${link.foreign}\``,
    Object.keys(link.columns ?? {})
      .map((column) => `\`${column}\`${shownAs(link, column)}`)
      .join(', '),
  ]);
}

function shownAs({ heldBy, columns }: EntityLink, name: string): string {
  const column = columns?.[name];
  const attribute = heldBy === 'self' ? column?.attribute : column?.foreignAttribute;
  return attribute === undefined ? '' : ` (listed as \`${attribute}\`)`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.join(' | ')} |`.replaceAll(/\| {2}(?=\|)/g, '| ');
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
