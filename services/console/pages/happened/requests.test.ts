import { expect, it } from 'vitest';
import { isWaiting, type Step } from './requests.ts';

const of = { at: '2030-01-01T00:00:00.000Z', batchId: 'b', webhookId: 'w', url: null };
const batch: Step = { ...of, kind: 'batch', event: 'Lead.create', events: 1, replayId: null };
const attempt = (outcome: 'delivered' | 'retry'): Step => {
  const parts = { number: 1, outcome, status: 200, reason: null, durationMs: 1 };
  return { ...of, kind: 'attempt', ...parts };
};

it('a trace waits until each of its batches has an outcome', () => {
  expect(isWaiting([])).toBe(false);
  expect(isWaiting([batch])).toBe(true);
  expect(isWaiting([batch, attempt('retry')])).toBe(true);
  expect(isWaiting([batch, attempt('retry'), attempt('delivered')])).toBe(false);
  expect(isWaiting([{ ...batch, batchId: 'other' }, attempt('delivered')])).toBe(true);
});
