import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { linkedTypesOf } from '../../../shared/domain/field/field-types.ts';
import { operation } from './operation.ts';
import { type Part, refer } from './part.ts';
import { listSchema, searchParameters } from './record-paths.ts';

const id = { type: 'string', minLength: 1 };
const text = { type: 'string' };
const nullableText = { type: ['string', 'null'] };

/** Planned and past activities (docs/reference/activities.md). */
export function activityPaths(models: readonly EntityModel[]): Readonly<Record<string, Part>> {
  const kinds = models.filter(({ definition }) => definition.activity !== undefined);
  const parents = models.filter(
    ({ name, definition }) =>
      definition.log === 'records' && kinds.some((kind) => isAbout(kind, name)),
  );
  const ofRecords = parents.flatMap(({ name }) =>
    Object.entries(doings).map(([path, what]) => ({
      [`/Activities/${name}/{id}/${path}`]: about(name, path, what),
      ...ofTypes(name, path, kinds),
    })),
  );
  const ofObjects = models.filter(({ definition }) => definition.isObject);
  return Object.assign(
    { '/Activities/upcoming': { get: upcoming(kinds.map(({ name }) => name)) } },
    ...ofRecords,
    ...ofObjects.map(({ name }) => ({ [`/${name}/{id}/usersAccess`]: usersAccess(name) })),
  );
}

const doings = { activities: 'is to be done', history: 'was done' };

/** Lists of activities of one entity type. */
function ofTypes(
  entityType: string,
  path: string,
  kinds: readonly EntityModel[],
): Readonly<Record<string, Part>> {
  const ofRecord = kinds.filter((kind) => isAbout(kind, entityType));
  return Object.fromEntries(
    ofRecord.map((kind) => [
      `/Activities/${entityType}/{id}/${path}/list/${kind.name}`,
      {
        parameters: [refer('parameters', 'id')],
        get: operation({
          id: `${entityType}_${path}_${kind.name}`,
          tag: entityType,
          summary: `List records of ${kind.name} among the ${path} of a record of ${entityType}`,
          parameters: [...searchParameters(kind), 'X-No-Total'],
          answer: listSchema(kind.name),
          errors: 'activitiesOfType',
        }),
      },
    ]),
  );
}

function isAbout({ fields }: EntityModel, parent: string): boolean {
  return [...fields.values()].some((field) => linkedTypesOf(field).includes(parent));
}

/** The properties of an activity in lists, beside its entity type. */
export const activityProperties: Readonly<Record<string, Part>> = {
  id,
  name: nullableText,
  status: nullableText,
  dateStart: nullableText,
  dateStartDate: nullableText,
  dateEnd: nullableText,
  dateEndDate: nullableText,
  assignedUserId: nullableText,
  assignedUserName: nullableText,
  parentType: nullableText,
  parentId: nullableText,
  parentName: nullableText,
  createdAt: nullableText,
};

export const activityItemSchema: Part = {
  type: 'object',
  required: ['id', '_scope', 'name', 'status'],
  properties: { ...activityProperties, _scope: { ...text, description: 'The entity type.' } },
};

const activityList: Part = {
  type: 'object',
  required: ['total', 'list'],
  properties: {
    total: { type: 'integer', minimum: 0 },
    list: { type: 'array', items: refer('schemas', 'activityItem'), maxItems: 200 },
  },
};

function about(entityType: string, name: string, what: string): Part {
  return {
    parameters: [refer('parameters', 'id')],
    get: operation({
      id: `${entityType}_${name}`,
      tag: entityType,
      summary: `List what ${what} about a record of ${entityType}`,
      parameters: ['order', 'offset', 'maxSize', 'X-Consistency-Token'],
      answer: activityList,
      errors: 'activities',
    }),
  };
}

function upcoming(entityTypes: readonly string[]): Part {
  return operation({
    id: 'Activities_upcoming',
    tag: 'Several records',
    summary: 'List what one is to do next, or takes part in',
    parameters: [
      {
        name: 'futureDays',
        in: 'query',
        description: 'So many days ahead; 7 if it is not given.',
        schema: { type: 'integer', minimum: 0, maximum: 366 },
      },
      {
        name: 'entityTypeList',
        in: 'query',
        description: 'These alone: `entityTypeList[]=Meeting`, or `entityTypeList=Meeting,Call`.',
        style: 'deepObject',
        explode: true,
        schema: { type: 'array', items: { type: 'string', enum: entityTypes } },
      },
      'order',
      'offset',
      'maxSize',
      'X-Consistency-Token',
    ],
    answer: activityList,
    errors: 'upcoming',
  });
}

const usersAccessList: Part = {
  type: 'object',
  required: ['total', 'list'],
  properties: {
    total: { type: 'integer', minimum: 0 },
    list: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id,
          name: nullableText,
          userName: text,
          type: { enum: ['admin', 'regular', 'api'] },
          read: { const: true },
          edit: { type: 'boolean' },
          delete: { type: 'boolean' },
          stream: { type: 'boolean' },
        },
      },
    },
  },
};

function usersAccess(entityType: string): Part {
  return {
    parameters: [refer('parameters', 'id')],
    get: operation({
      id: `${entityType}_usersAccess`,
      tag: entityType,
      summary: `List who may do what with a record of ${entityType}`,
      parameters: ['offset', 'maxSize', 'X-Consistency-Token'],
      answer: usersAccessList,
      errors: 'usersAccess',
    }),
  };
}
