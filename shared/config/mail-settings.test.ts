import { describe, expect, it } from 'vitest';
import { readEnv } from './env.ts';
import { readMailSettings } from './mail-settings.ts';

const complete = {
  SMTP_URL: 'smtp://ann%40example.com:se%2Fcret@mail.example.com',
  MAIL_FROM: 'Annals <annals@example.com>',
  PUBLIC_URL: 'https://annals.example.com/crm/',
};

function read(env: Readonly<Record<string, string>>) {
  const reader = readEnv(env);
  return { settings: readMailSettings(reader), problems: reader.problems };
}

describe('the settings for e-mail', () => {
  it('are undefined if neither a server nor a sender is set', () => {
    expect(read({})).toEqual({ settings: undefined, problems: [] });
    expect(read({ PUBLIC_URL: 'https://annals.example.com' })).toEqual({
      settings: undefined,
      problems: [],
    });
  });

  it('contain the decoded credentials, require STARTTLS and hide users by default', () => {
    expect(read(complete)).toEqual({
      settings: {
        smtp: {
          host: 'mail.example.com',
          port: 587,
          isTls: false,
          requiresTls: true,
          credentials: { user: 'ann@example.com', password: 'se/cret' },
        },
        from: 'Annals <annals@example.com>',
        siteUrl: 'https://annals.example.com/crm',
        hidesUsers: true,
      },
      problems: [],
    });
  });

  it.each([
    ['smtps://mail.example.com', { port: 465, isTls: true, requiresTls: true }],
    ['smtp://localhost:2525', { port: 2525, isTls: false, requiresTls: false }],
    ['smtp://[::1]:25', { host: '::1', port: 25, requiresTls: false }],
    ['smtp://10.0.0.1?requireTLS=false', { isTls: false, requiresTls: false }],
    ['smtp://localhost?requireTLS=true', { isTls: false, requiresTls: true }],
  ])('read %s', (url, expected) => {
    expect(read({ ...complete, SMTP_URL: url }).settings?.smtp).toMatchObject({
      ...expected,
      credentials: undefined,
    });
  });

  it.each([
    [{ MAIL_FROM: 'a@example.com' }, 'MAIL_FROM requires SMTP_URL'],
    [{ ...complete, MAIL_FROM: '' }, 'SMTP_URL requires MAIL_FROM'],
    [{ ...complete, PUBLIC_URL: '' }, 'SMTP_URL requires PUBLIC_URL'],
    [{ ...complete, PUBLIC_URL: 'annals.example.com' }, 'PUBLIC_URL must be an address'],
    [{ ...complete, PUBLIC_URL: 'https://a.example/?b' }, 'PUBLIC_URL must be an address'],
    [{ ...complete, MAIL_FROM: 'Annals' }, 'MAIL_FROM must be an e-mail address'],
    [{ ...complete, MAIL_FROM: 'a@b.example, c@d.example' }, 'MAIL_FROM must be'],
    [{ ...complete, SMTP_URL: 'http://user:hidden@mail.example.com' }, 'SMTP_URL must be'],
    [{ ...complete, SMTP_URL: 'smtp://user:hidden%@mail.example.com' }, 'SMTP_URL must be'],
    [{ ...complete, SMTP_URL: 'smtp://a:hidden@b.example?pool=true' }, 'The only parameter'],
    [{ ...complete, SMTP_URL: 'smtp://a:hidden@b.example?requireTLS=0' }, 'The only parameter'],
  ])('%j is a problem that does not reveal the password', (env, problem) => {
    const { problems } = read(env);
    expect(problems.join()).toContain(problem);
    expect(problems.join()).not.toContain('hidden');
  });
});
