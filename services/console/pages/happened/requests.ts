import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type ResponseOf } from '../../api/client.ts';

const refreshEveryMs = 5_000;

/** Loads what happened around a request, record, batch or webhook. Refreshes while a batch has no outcome. */
export function traceQuery(id: string) {
  return queryOptions({
    queryKey: ['system', 'traces', id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/System/traces/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isWaiting(data.steps) ? refreshEveryMs : false,
  });
}

/** Loads the records of all entity types that a text search finds. */
export function namedQuery(text: string) {
  return queryOptions({
    queryKey: ['records', 'named', text],
    queryFn: async ({ signal }) => {
      const params = { query: { q: text, maxSize: 20 } };
      return (await bodyOf(api.GET('/GlobalSearch', { params, signal }))).list;
    },
  });
}

export type Trace = ResponseOf<'/System/traces/{id}'>;
export type Step = Trace['steps'][number];

/** Returns true if a batch has not been delivered, abandoned or dropped. */
export function isWaiting(steps: readonly Step[]): boolean {
  const ended = new Set(
    steps.flatMap((step) =>
      step.kind === 'attempt' && step.outcome !== 'retry' ? [step.batchId] : [],
    ),
  );
  return steps.some((step) => step.kind === 'batch' && !ended.has(step.batchId));
}
