import type { Logger } from 'pino';
import { describe, expect, it } from 'vitest';
import { createLogger, flatLines } from './logger.ts';

function logLine(fields: object, lines = (log: Logger) => log): Record<string, unknown> {
  let line = '';
  const log = createLogger({
    service: 'api',
    level: 'info',
    destination: { write: (text) => (line += text) },
  });
  log.debug('not this');
  lines(log).info(fields, 'something happened');
  return JSON.parse(line);
}

const credentials = [
  'authorization',
  'x-api-key',
  'x-hmac-authorization',
  'espo-authorization',
  'password',
  'apiKey',
  'secretKey',
  'passwordHash',
];

describe('a log line', () => {
  it('is JSON with the service, the time as text and the message', () => {
    const line = logLine({ partition: 3 });
    expect(line).toMatchObject({ service: 'api', partition: 3, msg: 'something happened' });
    expect(line['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it.each(credentials)('redacts %s at every depth', (name) => {
    const secret = { [name]: 'hunter2', harmless: 'shown' };
    for (const fields of [secret, { body: secret }, { req: { headers: secret } }]) {
      const text = JSON.stringify(logLine(fields));
      expect(text).not.toContain('hunter2');
      expect(text).toContain('[redacted]');
      expect(text).toContain('shown');
    }
  });

  it.each(credentials)('redacts %s in flat lines', (name) => {
    const line = logLine({ [name]: 'hunter2', path: '/api/v1/Contact' }, flatLines);
    expect(line).toMatchObject({ service: 'api', [name]: '[redacted]', path: '/api/v1/Contact' });
  });
});
