import type { IncomingMessage } from 'node:http';

export function readBody(request: IncomingMessage, onBody: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const [first] = chunks;
    onBody(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks));
  });
}
