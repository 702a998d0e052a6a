import { operation } from './operation.ts';
import { type Part, refer } from './part.ts';

const id = { type: 'string', minLength: 1 };
export const ids = { type: 'array', items: id, examples: [['6920300f5a1b2c3d4']] };
export const someObject = { type: 'object', additionalProperties: true };
export const search = {
  where: { type: 'array', items: refer('schemas', 'whereItem') },
  searchParams: someObject,
};

const reason: Part = {
  type: 'string',
  description: 'Why it failed or was stopped: the error code that its user would be answered now.',
  examples: ['user.inactive'],
};

function statusOf(statuses: readonly string[]): Part {
  return {
    type: 'object',
    required: ['status', 'processedCount'],
    properties: {
      status: { enum: statuses },
      processedCount: { type: 'integer', minimum: 0 },
      reason,
    },
  };
}

/** Mass actions (docs/reference/actions.md#mass-actions). */
export const massActionPaths: Readonly<Record<string, Part>> = {
  '/MassAction': {
    post: operation({
      id: 'MassAction_start',
      tag: 'Several records',
      summary: 'Change, delete or follow many records',
      description: 'Records that may not be changed, or would not be valid, are skipped.',
      parameters: ['Idempotency-Key'],
      body: {
        type: 'object',
        required: ['entityType', 'action', 'params'],
        properties: {
          entityType: id,
          action: {
            enum: [
              'update',
              'delete',
              'follow',
              'unfollow',
              'convertCurrency',
              'recalculateFormula',
              'lock',
              'unlock',
            ],
          },
          params: {
            type: 'object',
            description: 'Either ids or a search.',
            properties: {
              ids,
              ...search,
            },
          },
          data: someObject,
          idle: {
            type: 'boolean',
            description: 'True: the answer has the id of the action at once.',
          },
        },
      },
      answer: {
        type: 'object',
        properties: {
          count: { type: 'integer', minimum: 0 },
          ids,
          id,
          status: {
            enum: ['Failed', 'Stopped', 'Cancelled'],
            description: 'Only if not everything was tried: `count` is what was done.',
          },
          reason,
        },
      },
      headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
      errors: 'massAction',
    }),
  },
  '/MassAction/{id}/status': {
    parameters: [refer('parameters', 'id')],
    get: operation({
      id: 'MassAction_status',
      tag: 'Several records',
      summary: 'Ask how far a mass action has come',
      parameters: ['X-Consistency-Token'],
      answer: statusOf(['Running', 'Success', 'Failed', 'Stopped', 'Cancelled']),
      errors: 'massActionStatus',
    }),
  },
  '/MassAction/{id}/cancel': {
    parameters: [refer('parameters', 'id')],
    post: operation({
      id: 'MassAction_cancel',
      tag: 'Several records',
      summary: 'Do no more of a mass action',
      description:
        'For who started it, and administrators. Answers when it has ended: `processedCount` records were changed, and stay so.',
      parameters: ['X-Consistency-Token'],
      answer: statusOf(['Cancelled']),
      errors: 'cancelMassAction',
    }),
  },
  '/MassAction/{id}/subscribe': {
    parameters: [refer('parameters', 'id')],
    post: operation({
      id: 'MassAction_subscribe',
      tag: 'Several records',
      summary: 'Do nothing',
      description: 'There are no notifications: ask for the status.',
      parameters: ['X-Consistency-Token'],
      answer: { const: true },
      errors: 'massActionStatus',
    }),
  },
};
