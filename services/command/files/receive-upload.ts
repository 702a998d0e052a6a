import type { IncomingHttpHeaders } from 'node:http';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { badUpload, tooLarge } from './plan-upload.ts';
import { type TemporaryFile, writeTemporaryFile } from './temporary-file.ts';

/** Above the length of any property, so that cut values are rejected by their own rules. */
const MAX_FIELD_BYTES = 4_096;
const MAX_FIELDS = 20;

/** An upload whose body has arrived. */
export interface ReceivedUpload {
  /** The text parts of the body, by name. */
  readonly fields: Readonly<Record<string, string>>;
  /** The name that the client gave to the file; undefined without one. */
  readonly fileName: string | undefined;
  readonly type: string;
  readonly file: TemporaryFile;
}

/**
 * Receives an upload in `multipart/form-data`. The file goes to a temporary file, so it is never completely in memory.
 * The caller closes that file. Throws a refusal for a body that is malformed, cut off or too large.
 */
export async function receiveUpload(
  body: Readable,
  { headers, maxBytes }: { readonly headers: IncomingHttpHeaders; readonly maxBytes: number },
): Promise<ReceivedUpload> {
  const stopping = new AbortController();
  const fields: Record<string, string> = {};
  let receiving: Promise<Omit<ReceivedUpload, 'fields'>> | undefined;
  const parser = createParser(headers, maxBytes);
  parser.on('field', (name, value) => {
    fields[name] = value;
  });
  parser.on('file', (name, stream, fileName, _encoding, type) => {
    if (name !== 'file' || receiving !== undefined) {
      stream.resume();
      return;
    }
    stream.once('limit', () => stopping.abort(tooLarge(maxBytes)));
    receiving = receiveFile(stream, stopping.signal).then((file) => ({ fileName, type, file }));
    receiving.catch((error: unknown) => stopping.abort(error));
  });
  try {
    await pipeline(body, parser, { signal: stopping.signal });
    const received = await receiving;
    if (received !== undefined) return { fields, ...received };
  } catch (error) {
    const reason: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
    stopping.abort(reason);
    await receiving?.then(({ file }) => file.close()).catch(() => undefined);
    throw toRefusal(reason);
  }
  throw badUpload("The part 'file' is missing: send the file in a part with this name.");
}

async function receiveFile(stream: BusboyFileStream, signal: AbortSignal): Promise<TemporaryFile> {
  addAbortSignal(signal, stream);
  return writeTemporaryFile(stream);
}

function createParser(headers: IncomingHttpHeaders, maxBytes: number): BusboyInstance {
  const limits = { fileSize: maxBytes, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, parts: 50 };
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': String(headers['content-type']) },
      limits,
    });
  } catch (cause) {
    throw malformed(cause);
  }
}

function toRefusal(error: unknown): unknown {
  return error instanceof Refusal || error instanceof Unavailable ? error : malformed(error);
}

function malformed(cause: unknown): Refusal {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return badUpload(`The upload is incomplete or not valid multipart/form-data (${reason}).`);
}
