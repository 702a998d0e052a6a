import { createHmac } from 'node:crypto';

/** Returns the authentication headers for a method and path (after `/api/v1`, with the query). */
export type Credentials = (method: string, path: string) => Readonly<Record<string, string>>;

export const anonymous: Credentials = () => ({});

export const withApiKey =
  ({ apiKey }: { readonly apiKey: string }): Credentials =>
  () => ({ 'X-Api-Key': apiKey });

export const withPassword =
  ({ userName, password }: { readonly userName: string; readonly password: string }): Credentials =>
  () => ({ Authorization: `Basic ${toBase64(`${userName}:${password}`)}` });

interface Login {
  readonly userName: string;
  /** A password or a token. */
  readonly secret: string;
}

export const withEspo =
  ({ userName, secret }: Login): Credentials =>
  () => ({ 'Espo-Authorization': toBase64(`${userName}:${secret}`) });

/** Headers with the token of a login. */
export const withToken =
  (login: Login): Credentials =>
  (method, path) => ({
    ...withEspo(login)(method, path),
    'Espo-Authorization-By-Token': 'true',
  });

interface HmacUser {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** Headers with the hash as text, as current clients send it. */
export const withHmacHex =
  (user: HmacUser): Credentials =>
  (method, path) => ({
    'X-Hmac-Authorization': toBase64(
      `${user.apiKey}:${signed(user, method, path).toString('hex')}`,
    ),
  });

/** Headers with the hash as 32 bytes, as older clients send it. */
export const withHmacRaw =
  (user: HmacUser): Credentials =>
  (method, path) => ({
    'X-Hmac-Authorization': toBase64(
      Buffer.concat([Buffer.from(`${user.apiKey}:`), signed(user, method, path)]),
    ),
  });

/** Key and hash encoded separately and concatenated, with a `=` in the middle, as a published client does. */
export const withHmacGlued =
  (user: HmacUser): Credentials =>
  (method, path) => ({
    'X-Hmac-Authorization': `${toBase64(user.apiKey)}6${toBase64(signed(user, method, path))}`,
  });

/** Signs the method, a space and the path after the API root, without query and body. */
function signed({ secretKey }: HmacUser, method: string, path: string): Buffer {
  const [withoutQuery = ''] = path.split('?');
  return createHmac('sha256', secretKey).update(`${method} ${withoutQuery}`).digest();
}

function toBase64(content: string | Buffer): string {
  return Buffer.from(content).toString('base64');
}
