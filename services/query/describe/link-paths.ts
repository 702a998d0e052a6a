import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/model/links.ts';
import { operation } from './operation.ts';
import { type Part, refer } from './part.ts';
import { listSchema, searchParameters } from './record-paths.ts';

interface LinkContext {
  /** Finds all entity types, because links are computed once per model. */
  readonly findModel: FindModel;
  readonly isDescribed: (entityType: string) => boolean;
  /** Whether links of this entity type can be changed at all. */
  readonly isChangeable: boolean;
}

/** `/{Entity}/{id}/{link}` for each link that can be read. */
export function linkPaths(
  model: EntityModel,
  context: LinkContext,
): Readonly<Record<string, Part>> {
  return Object.fromEntries(
    [...linksOf(model, context.findModel).values()].flatMap((link) => {
      const target = context.findModel(link.entityType ?? '');
      if (target === undefined || !context.isDescribed(target.name)) return [];
      const isChangeable = context.isChangeable && isOfMany(link) && !isFixed(model, link);
      return [
        [
          `/${model.name}/{id}/${link.name}`,
          {
            parameters: [refer('parameters', 'id')],
            get: follow(model, link, target),
            ...(isChangeable
              ? {
                  post: change(model, link, 'link'),
                  delete: change(model, link, 'unlink'),
                }
              : {}),
          },
        ],
      ];
    }),
  );
}

function isOfMany({ type }: EntityLink): boolean {
  return type === 'hasMany' || type === 'hasChildren';
}

function isFixed({ fields }: EntityModel, { heldBy, field }: EntityLink): boolean {
  return heldBy === 'self' && fields.get(field)?.readOnly === true;
}

function follow({ name }: EntityModel, link: EntityLink, target: EntityModel): Part {
  return operation({
    id: `list${name}_${link.name}`,
    tag: name,
    summary: `List what ${link.name} of a record of ${name} links to`,
    parameters: searchParameters(target),
    answer: listSchema(target.name),
    headers: ['Link'],
    errors: 'linked',
  });
}

const doing = { link: 'Link', unlink: 'Unlink' } as const;

function change({ name }: EntityModel, link: EntityLink, action: 'link' | 'unlink'): Part {
  return operation({
    id: `${action}${name}_${link.name}`,
    tag: name,
    summary: `${doing[action]} records by ${link.name} of a record of ${name}`,
    parameters: ['Idempotency-Key', 'If-Match'],
    body: refer('schemas', 'linkedIds'),
    isBodyOptional: true,
    answer: { type: 'boolean', description: 'False: no ids were given, or none was found.' },
    headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
    errors: action,
  });
}

/** The ids of records to link or unlink. */
export const linkedIdsSchema: Part = {
  type: 'object',
  properties: {
    id: { type: 'string', minLength: 1 },
    ids: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 1_000 },
    massRelate: {
      type: 'boolean',
      description: 'Link of a target list: links all records of a search instead.',
    },
    where: { type: 'array', items: refer('schemas', 'whereItem') },
    searchParams: { type: 'object', additionalProperties: true },
  },
  examples: [{ ids: ['6920300f5a1b2c3d4'] }],
};
