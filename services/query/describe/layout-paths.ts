import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { layoutNames } from '../metadata/layouts.ts';
import { errorGroupOf } from './error-groups.ts';
import { operation } from './operation.ts';
import { type Part, refer } from './part.ts';

/** A separate path for each name: with a parameter for it they would clash with links of a record. */
export function layoutPaths({ name: entityType }: EntityModel): Readonly<Record<string, Part>> {
  return Object.fromEntries(
    layoutNames.map((name) => [
      `/${entityType}/layout/${name}`,
      {
        get: operation({
          id: `${entityType}_layout_${name}`,
          tag: entityType,
          summary: `Tell how ${entityType} can be shown: ${name}`,
          parameters: ['X-Consistency-Token'],
          answer: refer('schemas', schemaOf[name] ?? 'layoutNames'),
          errors: errorGroupOf('layout', entityType),
        }),
      },
    ]),
  );
}

const schemaOf: Readonly<Record<string, string>> = {
  list: 'layoutColumns',
  listSmall: 'layoutColumns',
  detail: 'layoutPanels',
  detailSmall: 'layoutPanels',
};

const field = { type: 'string', description: 'Of a field.' };

export const layoutSchemas: Readonly<Record<string, Part>> = {
  layoutColumns: {
    type: 'array',
    items: {
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: {
        name: field,
        link: { const: true, description: 'Leads to the record.' },
      },
    },
  },
  layoutPanels: {
    type: 'array',
    items: {
      type: 'object',
      required: ['label', 'rows'],
      additionalProperties: false,
      properties: {
        label: { type: 'string' },
        rows: {
          type: 'array',
          items: { type: 'array', items: refer('schemas', 'layoutCell'), minItems: 1, maxItems: 2 },
        },
      },
    },
  },
  layoutCell: {
    anyOf: [
      { const: false, description: 'An empty place.' },
      {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: { name: field, fullWidth: { const: true } },
      },
    ],
  },
  layoutNames: {
    type: 'array',
    items: { type: 'string', description: 'Of a field, or a link.' },
  },
};
