import type { Access } from '../data-directory/access-file.ts';

/** What a started Annals prints: the ready line, alone on its line, then the keys and three commands to try. */
export function renderWelcome(access: Access, accessFile: string): string {
  const { url, admin, user, apiKey, hmac } = access;
  const api = `${url}/api/v1`;
  const key = `-H 'X-Api-Key: ${apiKey.apiKey}'`;
  const json = `-H 'Content-Type: application/json'`;
  return [
    `Annals is ready at ${url}`,
    '',
    `  administrator  ${admin.userName} / ${admin.password}`,
    `  regular user   ${user.userName} / ${user.password}`,
    `  API key        ${apiKey.apiKey} (user ${apiKey.userName})`,
    `  HMAC           API key ${hmac.apiKey}, secret key ${hmac.secretKey} (user ${hmac.userName})`,
    `  These are kept in ${accessFile}. Ctrl-C stops everything; the data stays.`,
    '',
    'Try: create an account, list the accounts, and have every new one sent to a server of yours.',
    '',
    `  curl ${key} ${json} -d '{"name":"Acme"}' ${api}/Account`,
    `  curl ${key} ${api}/Account`,
    `  curl ${key} ${json} -d '{"event":"Account.create","url":"https://example.com/annals"}' ${api}/Webhook`,
    '',
  ].join('\n');
}
