import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { activityProperties } from './activity-paths.ts';
import { operation } from './operation.ts';
import { type Part, refer } from './part.ts';

/** Activities between two times (docs/reference/activities.md#calendars). */
export function calendarPaths(models: readonly EntityModel[]): Readonly<Record<string, Part>> {
  const kinds = models.filter(({ definition }) => definition.activity !== undefined);
  const between = [
    time('from', 'Begin of the time, in UTC or with an offset; a day begins at midnight in UTC.'),
    time('to', 'Its end, 366 days later at most.'),
    list('scopeList', {
      description: 'These entity types alone.',
      items: {
        type: 'string',
        enum: kinds.map(({ name }) => name),
      },
    }),
  ];
  const user: Part = {
    name: 'userId',
    in: 'query',
    description: 'Whose calendar; of who asks if it is not given.',
    schema: { type: 'string', minLength: 1 },
  };
  const users = list('userIdList', {
    description: 'Whose calendars; of who asks if it is not given.',
    items: { type: 'string', minLength: 1 },
    maxItems: 50,
  });
  return {
    '/Activities': {
      get: operation({
        id: 'Activities_between',
        tag: 'Several records',
        summary: 'List what a user is assigned to or takes part in between two times',
        parameters: [...between, user, 'X-Consistency-Token'],
        answer: calendar,
        errors: 'calendar',
      }),
    },
    '/Timeline': {
      get: operation({
        id: 'Timeline_between',
        tag: 'Several records',
        summary: 'The same of several users, by their ids',
        parameters: [...between, users, user, 'X-Consistency-Token'],
        answer: { type: 'object', additionalProperties: calendar },
        errors: 'calendar',
      }),
    },
  };
}

export const calendarItemSchema: Part = {
  type: 'object',
  required: ['scope', 'id', 'name', 'status'],
  properties: {
    scope: { type: 'string', description: 'The entity type.' },
    ...activityProperties,
  },
};

const calendar: Part = {
  type: 'array',
  items: refer('schemas', 'calendarItem'),
  maxItems: 1_000,
};

function time(name: string, description: string): Part {
  return {
    name,
    in: 'query',
    required: true,
    description,
    schema: { type: 'string', examples: ['2030-01-31 10:00:00', '2030-01-31'] },
  };
}

/** A parameter of the form `a,b`. */
function list(name: string, { description, ...schema }: Part): Part {
  return {
    name,
    in: 'query',
    description,
    style: 'form',
    explode: false,
    schema: { type: 'array', ...schema },
  };
}
