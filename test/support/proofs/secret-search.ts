/** Returns the indexes of the secrets that a text contains: a failed assertion on indexes prints no secret. */
export type SecretSearch = (text: string) => readonly number[];

/** `owners` are the user names in credentials. */
export function createSecretSearch(
  secrets: readonly string[],
  owners: readonly string[],
): SecretSearch {
  const forms = secrets.map((secret) => formsOf(secret, owners));
  return (text) =>
    forms.flatMap((all, place) => (all.some((it) => text.includes(it)) ? [place] : []));
}

/** Returns the secret in all its encodings: plain, URL, hexadecimal, base64 of headers. */
function formsOf(secret: string, owners: readonly string[]): readonly string[] {
  const base64 = ['', ...owners.map((owner) => `${owner}:`)].map((name) =>
    Buffer.from(`${name}${secret}`).toString('base64').replace(/=*$/, '').slice(0, -1),
  );
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), ...base64];
}
