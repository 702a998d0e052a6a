import { expect, it } from 'vitest';
import { namesSetByStart } from './names-set-by-start.ts';

it('returns the variables that npm start chose, and not those of the operator', () => {
  const operator = { PORT: '80', LOG_LEVEL: '', DATABASE_URL_FILE: '/secrets/url', HOME: '/root' };
  const passed = {
    ...operator,
    LOG_LEVEL: 'info',
    DATABASE_URL: 'postgres://db',
    DATABASE_URL_FILE: undefined,
    INTERNAL_PORT: '20001',
  };
  expect(namesSetByStart(operator, passed)).toEqual(['LOG_LEVEL', 'INTERNAL_PORT']);
});
