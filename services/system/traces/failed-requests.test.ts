import { expect, it } from 'vitest';
import { createFailedRequests } from './failed-requests.ts';

const failed = (requestId: string, status: number) => ({
  requestId,
  atMs: 1,
  method: 'POST',
  path: '/api/v1/Account',
  status,
  reason: 'no',
});

it('keeps the newest failed requests', () => {
  const requests = createFailedRequests(2);
  requests.add(failed('a', 400));
  requests.add(failed('b', 403));
  requests.add(failed('b', 500));
  expect(requests.find('a')).toEqual([]);
  expect(requests.find('b').map(({ status }) => status)).toEqual([403, 500]);
});
