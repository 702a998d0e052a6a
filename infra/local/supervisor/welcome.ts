import type { AccessFile } from './access-file.ts';

/**
 * Returns what `npm start` prints when Annals is ready: the ready line, three commands to try, and the keys if a person
 * reads the output. Output that is stored in a file has no keys.
 */
export function renderWelcome(
  { url, admin, user, apiKey, hmac }: AccessFile,
  {
    accessFile,
    isWatched,
    consoleUrl,
  }: {
    readonly accessFile: string;
    readonly isWatched: boolean;
    /** Undefined if the api serves the console. */
    readonly consoleUrl?: string | undefined;
  },
): string {
  const api = `${url}/api/v1`;
  const key = isWatched ? `-H 'X-Api-Key: ${apiKey.apiKey}'` : '-H "X-Api-Key: $KEY"';
  const json = `-H 'Content-Type: application/json'`;
  const keys = [
    `  administrator  ${admin.userName} / ${admin.password}`,
    `  regular user   ${user.userName} / ${user.password}`,
    `  API key        ${apiKey.apiKey} (user ${apiKey.userName})`,
    `  HMAC           API key ${hmac.apiKey}, secret key ${hmac.secretKey} (user ${hmac.userName})`,
    `  These are stored in ${accessFile}. Ctrl-C stops everything; the data is kept.`,
  ];
  return [
    `Annals is ready at ${url}`,
    '',
    ...(isWatched
      ? keys
      : [`  Passwords and keys are in ${accessFile}; they are shown only at a terminal.`]),
    '',
    `Open ${consoleUrl ?? 'this address'} in a browser for the console, and log in as the administrator or the regular user.`,
    '',
    'Try: create an account, list the accounts, and send every new account to your own server.',
    '',
    ...(isWatched ? [] : [`  KEY=$(node -p "require('${accessFile}').apiKey.apiKey")`]),
    `  curl ${key} ${json} -d '{"name":"Acme"}' ${api}/Account`,
    `  curl ${key} ${api}/Account`,
    `  curl ${key} ${json} -d '{"event":"Account.create","url":"https://example.com/annals"}' ${api}/Webhook`,
    '',
  ].join('\n');
}
