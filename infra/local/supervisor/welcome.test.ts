import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createTerminal } from '../terminal.ts';
import { renderWelcome } from './welcome.ts';

const secrets = ['admin-password', 'user-password', 'api-key', 'hmac-key', 'hmac-secret'] as const;
const [adminPassword, userPassword, apiKey, hmacKey, hmacSecret] = secrets;
const access = {
  url: 'http://127.0.0.1:8080',
  admin: { userName: 'admin', password: adminPassword },
  user: { userName: 'user', password: userPassword },
  apiKey: { userName: 'api', apiKey },
  hmac: { userName: 'hmac', apiKey: hmacKey, secretKey: hmacSecret },
} as Parameters<typeof renderWelcome>[0];

function welcomeOn(isTTY: boolean): string {
  const output = Object.assign(new PassThrough(), isTTY ? { isTTY } : {});
  const { isWatched } = createTerminal(output, new PassThrough());
  return renderWelcome(access, { accessFile: '/data/access.json', isWatched });
}

describe('the welcome message', () => {
  it('shows the keys on a terminal', () => {
    for (const secret of secrets) expect(welcomeOn(true)).toContain(secret);
  });

  it('shows only the path of the keys in a file or pipe', () => {
    const welcome = welcomeOn(false);
    for (const secret of secrets) expect(welcome).not.toContain(secret);
    expect(welcome).toMatch(/^Annals is ready at http:\/\/127[.]0[.]0[.]1:8080$/m);
    expect(welcome).toContain('/data/access.json');
  });
});
