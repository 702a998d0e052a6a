import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { loadWhenAuthorized } from './load-when-authorized.ts';

type Plugin = ReturnType<typeof loadWhenAuthorized>;
type Authorize = ReturnType<Plugin['statePlugins']['auth']['wrapActions']['authorize']>;

interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Authorizes in a context that has only browser globals, and returns the plugin's actions. */
async function authorize(
  authorized: Parameters<Authorize>[0],
  answer: { readonly ok: boolean; readonly text: string },
) {
  const requests: Request[] = [];
  const shown: unknown[] = [];
  const failures: unknown[] = [];
  const fetch = async (url: string, { headers }: Omit<Request, 'url'>) => {
    requests.push({ url, headers });
    return { ok: answer.ok, status: 401, text: async () => answer.text };
  };
  const context = createContext({ fetch, btoa, TextEncoder });
  const plugin: Plugin = runInContext(`(${loadWhenAuthorized.toString()})()`, context);
  const passed: unknown[] = [];
  const { wrapActions } = plugin.statePlugins.auth;
  wrapActions.authorize((given) => passed.push(given), {
    specActions: { updateSpec: (text) => shown.push(text) },
    errActions: { newAuthErr: (error) => failures.push(error) },
  })(authorized);
  await new Promise(setImmediate);
  expect(passed).toEqual([authorized]);
  return { requests, shown, failures };
}

describe("the documentation page's plugin", () => {
  it.each([
    ['ApiKey', 'abc', { 'X-Api-Key': 'abc' }],
    ['EspoAuthorization', 'YTpi', { 'Espo-Authorization': 'YTpi' }],
    ['Basic', { username: 'jö', password: 'pw' }, { Authorization: 'Basic asO2OnB3' }],
  ])('loads the document with the credentials entered as %s', async (name, value, headers) => {
    const done = await authorize({ [name]: { value } }, { ok: true, text: '{"paths":{}}' });
    expect(done.requests).toEqual([{ url: '/api/v1/OpenApi', headers }]);
    expect(done.shown).toEqual(['{"paths":{}}']);
    expect(done.failures).toEqual([]);
  });

  it.each([
    ['loads the document with the session of the console', { ok: true }, ['{"paths":{}}']],
    ['shows no error without a session', { ok: false }, []],
    ['shows no error if the api is unreachable', undefined, []],
  ])('%s', async (_, answer, expected) => {
    const requests: unknown[] = [];
    const fetch = async (url: string, request: object) => {
      requests.push({ url, ...request });
      if (answer === undefined) throw new TypeError('unreachable');
      return { ...answer, text: async () => '{"paths":{}}' };
    };
    const context = createContext({ fetch });
    const plugin: Plugin = runInContext(`(${loadWhenAuthorized.toString()})()`, context);
    const shown: string[] = [];
    const failures: unknown[] = [];
    plugin.afterLoad({
      specActions: { updateSpec: (text) => shown.push(text) },
      errActions: { newAuthErr: (error) => failures.push(error) },
    });
    await new Promise(setImmediate);
    expect(requests).toEqual([
      {
        url: '/api/v1/OpenApi',
        headers: { 'X-Requested-With': 'XMLHttpRequest' },
        credentials: 'same-origin',
      },
    ]);
    expect(shown).toEqual(expected);
    expect(failures).toEqual([]);
  });

  it('shows the error message next to the credentials', async () => {
    const answer = { ok: false, text: '{"message":"Wrong."}' };
    const done = await authorize({ ApiKey: { value: 'wrong' } }, answer);
    expect(done.shown).toEqual([]);
    expect(done.failures).toEqual([
      { authId: 'ApiKey', level: 'error', source: 'auth', message: 'Wrong.' },
    ]);
  });
});
