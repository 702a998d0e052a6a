import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import type { EntityLink } from '../../../../shared/domain/entity/model/links.ts';
import { describeRoute, isWritable } from '../../../../shared/http/describe/describe-route.ts';
import { selecting, written } from '../../../../shared/http/describe/error-lists.ts';
import { type Part, refer } from '../../../../shared/http/describe/part.ts';
import { id, searchInBody } from '../../../../shared/http/describe/schemas.ts';
import type { ErrorCode } from '../../../../shared/http/errors/error-codes.ts';

export function isToOne({ type }: EntityLink): boolean {
  return type === 'belongsTo' || type === 'belongsToParent' || type === 'hasOne';
}

/** Whether the entity type stores the link in a read-only field, or in a shipped one that only a creation sets. */
export function isFixed({ fields }: EntityModel, { heldBy, field }: EntityLink): boolean {
  const { readOnly, readOnlyAfterCreate, isCustom } = fields.get(field) ?? {};
  const isSetOnce = readOnlyAfterCreate === true && isCustom !== true;
  return heldBy === 'self' && (readOnly === true || isSetOnce);
}

const errors = [
  ...written,
  'link.forbidden',
  'link.ids',
  'link.mass',
  'link.no_access',
  'link.non_existing',
  'link.to_one',
  'link.unknown',
  'record.invalid',
  'record.not_found',
  'record.version_differs',
] as const;

/** The ids of records to link or unlink. */
const linkedIds: Part = {
  type: 'object',
  properties: {
    id,
    ids: { type: 'array', items: id, maxItems: 1_000 },
    massRelate: {
      type: 'boolean',
      description: 'Link of a target list: links all records of a search instead.',
    },
    ...searchInBody,
  },
  examples: [{ ids: ['6920300f5a1b2c3d4'] }],
};

export const linkSchema = change('link', 'Link', [...errors, ...selecting, 'link.already_linked']);
export const unlinkSchema = change('unlink', 'Unlink', [...errors, 'link.required']);

function change(name: string, verb: string, codes: readonly ErrorCode[]) {
  return describeRoute({
    id: `${name}{entity}_{link}`,
    tag: '{entity}',
    summary: `${verb} records by {link} of a record of {entity}`,
    parameters: ['id', 'Idempotency-Key', 'If-Match'],
    body: refer('schemas', 'linkedIds'),
    isBodyOptional: true,
    schemas: { linkedIds },
    answer: { type: 'boolean', description: 'False: no ids were given, or none was found.' },
    headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
    errors: codes,
    expand: {
      // In the document, paths of files would clash with those of their links.
      isFor: (model) => isWritable(model) && model.definition.isFile !== true,
      isForLink: (model, link) => !isToOne(link) && !isFixed(model, link),
    },
  });
}
