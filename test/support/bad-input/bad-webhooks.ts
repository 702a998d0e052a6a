import type { BadRequest } from './bad-request.ts';
import { forbiddenHosts } from './forbidden-hosts.ts';

const url = 'https://example.org/hook';

const refused = (name: string, body: object, messagePattern: RegExp, status = 400): BadRequest => ({
  name,
  method: 'POST',
  path: '/Webhook',
  body,
  status,
  messagePattern,
});

/** Webhooks that cannot be registered. */
export const badWebhooks: readonly BadRequest[] = [
  refused('without an event', { url }, /event/),
  refused('with an empty event', { event: '', url }, /event/),
  refused('without a URL', { event: 'Account.create' }, /url/),
  refused('with an empty URL', { event: 'Account.create', url: '' }, /url/),
  refused('of an unknown entity type', { event: 'Nonsense.create', url }, /Nonsense/),
  refused('of an entity type in lower case', { event: 'account.create', url }, /account/),
  refused('of __proto__', { event: '__proto__.create', url }, /__proto__/),
  refused('of an unknown kind of event', { event: 'Account.destroy', url }, /Account.destroy/),
  refused('of a kind of event in capitals', { event: 'Account.Create', url }, /Account.Create/),
  refused('without a kind of event', { event: 'Account', url }, /Account/),
  refused(
    'of an event with an extra part',
    { event: 'Account.create.name', url },
    /Account.create.name/,
  ),
  refused('of an unknown field', { event: 'Account.fieldUpdate.noSuch', url }, /noSuch/),
  refused('of a field in the wrong case', { event: 'Account.fieldUpdate.Name', url }, /Name/),
  refused('without a field', { event: 'Account.fieldUpdate', url }, /[Ff]ield/),
  refused('of the field constructor', { event: 'Account.fieldUpdate.constructor', url }, /constr/),
  refused('of a list of events', { event: ['Account.create'], url }, /event/),
  refused('with an invalid URL', { event: 'Account.create', url: 'not an url' }, /url/),
  refused('with a URL without protocol', { event: 'Account.create', url: 'example.org' }, /url/),
  refused('with an ftp URL', { event: 'Account.create', url: 'ftp://example.org/' }, /url/),
  refused('with a javascript URL', { event: 'Account.create', url: 'javascript:alert(1)' }, /url/),
  refused('with NUL in the URL', { event: 'Account.create', url: `${url}\u0000` }, /url/),
  refused(
    'with a URL of 513 characters',
    { event: 'Account.create', url: `${url}/`.padEnd(513, 'x') },
    /url/,
  ),
  refused(
    'with user info in the URL',
    { event: 'Account.create', url: 'https://a:b@example.org' },
    /"url"/,
  ),
  ...Object.entries(forbiddenHosts).flatMap(([spelling, hosts]) =>
    hosts.map((host) => {
      const body = { event: 'Account.create', url: `https://${host}/hook` };
      return refused(`for a forbidden host, ${spelling}, ${host}`, body, /"url"/);
    }),
  ),
  ...['http://8.8.8.8/', 'https://10.0.0.1/', 'https://10.0.0.1:8443/'].map((forbidden) =>
    refused(`for ${forbidden}`, { event: 'Account.create', url: forbidden }, /notInternal/),
  ),
];
