import { isRestorable } from '../../../shared/domain/entity/model/entity-model.ts';
import {
  describeRoute,
  isWritable,
  noContent,
} from '../../../shared/http/describe/describe-route.ts';
import {
  changed,
  givenValues,
  ofUsers,
  ofWebhooks,
  written,
} from '../../../shared/http/describe/error-lists.ts';
import { writeHeaders } from '../../../shared/http/describe/headers.ts';
import type { ParameterName } from '../../../shared/http/describe/parameters.ts';
import { refer } from '../../../shared/http/describe/part.ts';
import { id, objectOf } from '../../../shared/http/describe/schemas.ts';

const parameters: readonly ParameterName[] = ['Idempotency-Key', 'Prefer'];
const headers = writeHeaders.filter((name) => name !== 'ETag');

const errorsOfCreate = [
  ...written,
  ...givenValues,
  'link.already_linked',
  'link.ids',
  'link.no_access',
  'link.several',
  'record.duplicate',
  'record.exists',
] as const;

const CREATED = 201;
/** By entity type: the status of a creation, where clients expect another one than 200. */
export const createdStatus: ReadonlyMap<string, number> = new Map([['Webhook', CREATED]]);

export const create = describeRoute({
  id: 'create{entity}',
  tag: '{entity}',
  summary: 'Create a record of {entity}',
  parameters: ['X-Skip-Duplicate-Check', 'X-Duplicate-Source-Id', 'X-Strict', ...parameters],
  body: refer('schemas', '{entity}_create'),
  answer: refer('schemas', '{entity}'),
  headers: [...writeHeaders, 'X-Ignored-Attributes', 'X-Warning'],
  errors: errorsOfCreate,
  more: noContent,
  expand: {
    isFor: isWritable,
    but: {
      User: { errors: [...errorsOfCreate, ...ofUsers] },
      Role: { errors: [...errorsOfCreate, 'role.invalid'] },
      Note: { errors: [...errorsOfCreate, 'note.denied', 'note.type', 'stream.none'] },
      TargetList: { errors: [...errorsOfCreate, 'mass_action.too_many', 'record.not_found'] },
      Webhook: { status: CREATED, errors: [...errorsOfCreate, ...ofWebhooks] },
    },
  },
});

export function update(name: 'put' | 'update') {
  return describeRoute({
    id: `${name}{entity}`,
    tag: '{entity}',
    summary: 'Change a record of {entity}',
    description: 'PUT and PATCH do the same: what is not mentioned stays.',
    parameters: ['id', 'If-Match', 'X-Version-Number', 'X-Strict', ...parameters],
    body: refer('schemas', '{entity}'),
    answer: refer('schemas', '{entity}'),
    headers: [...writeHeaders, 'X-Ignored-Attributes', 'X-Record-Link-Updated', 'X-Warning'],
    errors: changed,
    more: noContent,
    expand: {
      isFor: isWritable,
      but: {
        User: { errors: [...changed, ...ofUsers] },
        Role: { errors: [...changed, 'role.invalid'] },
        Webhook: { errors: [...changed, ...ofWebhooks, 'webhook.event_fixed'] },
      },
    },
  });
}

const errorsOfRemove = [...written, 'record.not_found', 'record.version_differs'] as const;

export const remove = describeRoute({
  id: 'delete{entity}',
  tag: '{entity}',
  summary: 'Delete a record of {entity}',
  parameters: ['id', 'If-Match', ...parameters],
  answer: { const: true },
  headers,
  errors: errorsOfRemove,
  more: noContent,
  expand: {
    isFor: isWritable,
    but: {
      User: { errors: [...errorsOfRemove, 'user.own'] },
      Webhook: { errors: [...errorsOfRemove, 'webhook.forbidden'] },
    },
  },
});

export const errorsOfNamed = ['action.unknown', 'body.value_missing', 'entity.unknown'] as const;
const body = objectOf({ id });
const errorsOfRestore = [
  ...errorsOfRemove,
  ...errorsOfNamed,
  'access.admin_only',
  'record.not_deleted',
] as const;

export const restore = describeRoute({
  id: 'restore{entity}',
  tag: '{entity}',
  summary: 'Bring a deleted record of {entity} back',
  description: 'For administrators.',
  parameters: ['If-Match', ...parameters],
  body,
  answer: { const: true },
  headers: writeHeaders,
  errors: [...errorsOfRestore, 'merge.under_way'],
  more: noContent,
  expand: {
    isFor: ({ definition }) => isRestorable(definition),
    but: {
      User: { errors: [...errorsOfRestore, 'user.name_exists'] },
      Role: { errors: [...errorsOfRestore, 'role.invalid'] },
    },
  },
});
