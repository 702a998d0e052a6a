/** The places in the list of the secrets that stand in a text: a failed comparison of places prints no secret. */
export type SecretSearch = (text: string) => readonly number[];

/** `owners` are the names that credentials begin with. */
export function createSecretSearch(
  secrets: readonly string[],
  owners: readonly string[],
): SecretSearch {
  const forms = secrets.map((secret) => formsOf(secret, owners));
  return (text) =>
    forms.flatMap((all, place) => (all.some((it) => text.includes(it)) ? [place] : []));
}

/** As it is, and as it may travel: in an url, in hexadecimal, in the base64 of the headers that carry it. */
function formsOf(secret: string, owners: readonly string[]): readonly string[] {
  const base64 = ['', ...owners.map((owner) => `${owner}:`)].map((name) =>
    Buffer.from(`${name}${secret}`).toString('base64').replace(/=*$/, '').slice(0, -1),
  );
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), ...base64];
}
