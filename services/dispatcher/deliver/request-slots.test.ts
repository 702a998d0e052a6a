import { expect, it, vi } from 'vitest';
import { createRequestSlots } from './request-slots.ts';

it('call back who found none free, in turn, each time one is released', () => {
  const slots = createRequestSlots(1);
  const started: string[] = [];
  const startOne = (name: string) => (): void => {
    if (!slots.isFree(one[name] ?? (() => undefined))) return;
    slots.take();
    started.push(name);
    slots.isFree(one[name] ?? (() => undefined));
  };
  const one: Record<string, () => void> = {};
  for (const name of ['a', 'b']) one[name] = startOne(name);
  for (const start of Object.values(one)) start();
  for (let round = 0; round < 3; round++) slots.release();

  expect(started).toEqual(['a', 'a', 'b', 'a']);
});

it('pass by who has nothing to start any more', () => {
  const slots = createRequestSlots(1);
  slots.take();
  const idle = vi.fn();
  const busy = vi.fn();
  slots.isFree(idle);
  slots.isFree(busy);
  slots.release();

  expect(idle).toHaveBeenCalledOnce();
  expect(busy).toHaveBeenCalledOnce();
  expect(slots.isFree(idle)).toBe(true);
});
