import type { AccessFile } from '../data-directory/access-file.ts';

/**
 * What a started Annals prints: the ready line, alone on its line, then three commands to try, and the keys if a person
 * reads it. What is kept in a file has none.
 */
export function renderWelcome(
  { url, admin, user, apiKey, hmac }: AccessFile,
  { accessFile, isWatched }: { readonly accessFile: string; readonly isWatched: boolean },
): string {
  const api = `${url}/api/v1`;
  const key = isWatched ? `-H 'X-Api-Key: ${apiKey.apiKey}'` : '-H "X-Api-Key: $KEY"';
  const json = `-H 'Content-Type: application/json'`;
  const keys = [
    `  administrator  ${admin.userName} / ${admin.password}`,
    `  regular user   ${user.userName} / ${user.password}`,
    `  API key        ${apiKey.apiKey} (user ${apiKey.userName})`,
    `  HMAC           API key ${hmac.apiKey}, secret key ${hmac.secretKey} (user ${hmac.userName})`,
    `  These are kept in ${accessFile}. Ctrl-C stops everything; the data stays.`,
  ];
  return [
    `Annals is ready at ${url}`,
    '',
    ...(isWatched
      ? keys
      : [`  Passwords and keys are in ${accessFile}; no terminal shows them here.`]),
    '',
    'Open that address in a browser for the console; users and passwords are those of the administrator and the user.',
    '',
    'Try: create an account, list the accounts, and have every new one sent to a server of yours.',
    '',
    ...(isWatched ? [] : [`  KEY=$(node -p "require('${accessFile}').apiKey.apiKey")`]),
    `  curl ${key} ${json} -d '{"name":"Acme"}' ${api}/Account`,
    `  curl ${key} ${api}/Account`,
    `  curl ${key} ${json} -d '{"event":"Account.create","url":"https://example.com/annals"}' ${api}/Webhook`,
    '',
  ].join('\n');
}
