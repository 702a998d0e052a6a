import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Unavailable } from '../domain/errors.ts';
import { throttleOutages } from './throttle-outages.ts';

function openLog() {
  let time = 0;
  const lines: { readonly msg: string; readonly leftOut?: number }[] = [];
  const log = pino(
    { hooks: { logMethod: throttleOutages(() => time) } },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  return {
    log,
    lines,
    wait: (ms: number) => {
      time += ms;
    },
  };
}

const err = new Unavailable('Kafka: away');

it('writes one outage warning per ten seconds with the number of suppressed lines', () => {
  const { log, lines, wait } = openLog();
  const child = log.child({ of: 'another' });
  for (let second = 0; second < 20; second += 1) {
    log.warn({ err }, 'directory');
    child.warn({ err }, 'request');
    wait(1_000);
  }
  expect(lines.map(({ msg, leftOut }) => [msg, leftOut])).toEqual([
    ['directory', undefined],
    ['directory', 19],
  ]);
});

it('does not suppress errors, other lines or lines at another level', () => {
  const { log, lines } = openLog();
  log.warn({ err }, 'first');
  log.info({ err }, 'info');
  log.error({ err }, 'error');
  log.error({ err }, 'error');
  log.warn({ err: new Error('a bug') }, 'bug');
  log.warn('text');
  expect(lines.map(({ msg }) => msg)).toEqual(['first', 'info', 'error', 'error', 'bug', 'text']);
});
