import { once } from 'node:events';
import type pg from 'pg';

/**
 * COPY over the wire, which pg does not support: a query whose response is `CopyInResponse` or
 * `CopyOutResponse` and then the data. These two methods expose what pg parses.
 */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** `sql` is a COPY … TO STDOUT; returns the chunks as received. */
export async function copyOut(client: pg.Client, sql: string): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = [];
  await submitCopy(client, sql, {
    // A copy, because the parser reuses its buffer.
    handleCopyData: ({ chunk }) => chunks.push(Buffer.from(chunk)),
  });
  return chunks;
}

/** `sql` is a COPY … FROM STDIN. */
export async function copyIn(
  client: pg.Client,
  sql: string,
  chunks: readonly Buffer[],
): Promise<void> {
  await submitCopy(client, sql, {
    handleCopyInResponse: (connection) => void sendAll(connection, chunks),
  });
}

async function sendAll(connection: CopyConnection, chunks: readonly Buffer[]): Promise<void> {
  for (const chunk of chunks) {
    connection.sendCopyFromChunk(chunk);
    if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
  }
  connection.endCopyFrom();
}

interface CopyHandlers {
  readonly handleCopyData?: (message: { readonly chunk: Buffer }) => void;
  readonly handleCopyInResponse?: (connection: CopyConnection) => void;
}

async function submitCopy(client: pg.Client, sql: string, handlers: CopyHandlers): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let failure: Error | undefined;
    client.query({
      submit: (connection: pg.Connection) => connection.query(sql),
      handleError: (error: Error) => {
        failure = error;
        reject(error);
      },
      handleReadyForQuery: () => (failure === undefined ? resolve() : undefined),
      handleCommandComplete: () => undefined,
      ...handlers,
    });
  });
}
